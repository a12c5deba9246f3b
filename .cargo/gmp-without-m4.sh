# Lets GMP build on a machine that has no m4. Every `configure` script reads this file first, through CONFIG_SITE.
#
# GMP needs m4 only to assemble its hand-written inner loops. Told of a processor that it has no such loops for, it uses
# its C code, which the compiler then fits to the real processor (GMP's inline assembly goes by what the compiler says).
# `--disable-assembly`, the documented way, also takes that inline assembly away, which makes products of 1000 bits
# four times slower, and tunes the code for the machine at hand, so that the library may not run on another.
#
# With a working m4, or when the caller names the machines himself (cross-compilation), nothing is changed here
# except that a cross-compilation without m4 goes the documented way.
if test "$PACKAGE_TARNAME" = gmp; then
  # FreeBSD's m4 answers 9, and GMP refuses it.
  if test "`echo 'eval(9,9)' | (${M4:-m4}) 2>/dev/null`" != 10; then
    echo "no working m4: GMP is built from its C code"
    enable_fat=no
    without_m4=`sh "$srcdir/configfsf.guess" 2>/dev/null | sed 's/^[^-]*-/or1k-/'`
    case "$host_alias$build_alias:$without_m4" in
      :or1k-*)
        build_alias=$without_m4 ;;
      *)
        enable_assembly=no
        M4=: ;;
    esac
  fi
fi
