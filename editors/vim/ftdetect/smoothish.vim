autocmd BufRead,BufNewFile *.theory setfiletype smoothish
