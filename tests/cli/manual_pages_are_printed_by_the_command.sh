#!/bin/bash
# Those in docs/man, word for word, and scdoc takes them.
. "$(dirname "$0")/lib"

page() { # NAME WORD...
    local name=$1
    shift
    exits 0 help --man "$@"
    same out "$SITO_ROOT/docs/man/$name.1.scd"
    scdoc <out >"$name.1" || fail "$name: scdoc refuses it"
    grep -q '^.SH EXAMPLES' "$name.1" || fail "$name: no examples"
    [ -z "$(MANROFFSEQ='' man --warnings=w -l "$name.1" 2>&1 >/dev/null)" ] || fail "$name: man complains"
}
page sito
exits 0 help
awk '/^Commands/,/^$/ { if (/^  /) print $1 }' out >commands
while read -r command; do page "sito-$command" "$command"; done <commands
# Applications print theirs themselves.
for source in "$SITO_ROOT"/apps/*/manual.c; do
    name=$(basename "$(dirname "$source")")
    exits 0 "$name" --man
    same out "$SITO_ROOT/docs/man/sito-$name.1.scd"
    scdoc <out >"sito-$name.1" || fail "$name: scdoc refuses it"
    [ -z "$(MANROFFSEQ='' man --warnings=w -l "sito-$name.1" 2>&1 >/dev/null)" ] || fail "$name: man complains"
done
# And none is left of a command that is gone.
[ "$(find "$SITO_ROOT/docs/man" -name 'sito*.1.scd' | wc -l)" = "$(find . -name 'sito*.1' | wc -l)" ] ||
    fail 'pages without a command'
