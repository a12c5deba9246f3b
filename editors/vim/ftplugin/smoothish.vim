" Comments, and names with primes. `:make` checks the theory: its messages lead to their lines.
if exists("b:did_ftplugin")
  finish
endif
let b:did_ftplugin = 1
setlocal comments=:! commentstring=!\ %s iskeyword+='
setlocal makeprg=smoothish\ check\ --message-format\ short\ %:S
setlocal errorformat=%f:%l:%c:\ %m
let b:undo_ftplugin = "setlocal comments< commentstring< iskeyword< makeprg< errorformat<"
