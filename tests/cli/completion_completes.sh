#!/bin/bash
# The script loads in bash and knows commands, options, kinds and files; zsh and fish can read theirs.
. "$(dirname "$0")/lib"

exits 0 completion bash
shellcheck -s bash out
# shellcheck disable=SC1091 # made just now
. ./out
complete -p sito | grep -q _sito || fail 'not registered'
completes() { # WANTED WORD...: the last word is the one being typed
    local wanted=$1
    shift
    COMP_WORDS=(sito "$@") COMP_CWORD=$#
    _sito
    [ "${COMPREPLY[*]-}" = "$wanted" ] || fail "sito $*: ${COMPREPLY[*]-}"
}
touch birds.txt 'two words.txt'
completes build bu
completes 'count check completion' c
completes bloom build -k bloo
completes compact plan --kind comp
completes '--max-bytes --max-moves' build --ma
completes --map query --ma
completes birds.txt query bir
completes birds.txt build -o bir
completes 'two words.txt' query two
[ ${#COMPREPLY[@]} = 1 ] || fail 'a name is taken for several'
completes 'two words.txt' build -o two
[ ${#COMPREPLY[@]} = 1 ] || fail 'a name is taken for several'
completes 'bash zsh fish' completion ''
completes remove help rem
completes '' build -n ''
# What sito-kmer has, it tells itself.
PATH=$(dirname "$SITO"):$PATH
completes kmer km
completes 'screen' kmer sc
completes '--length' kmer count --leng
completes '--output --output2' kmer screen --out
completes fuse kmer build --kind fu
completes 'random' kmer build --rule r
completes birds.txt kmer build -k bir
completes birds.txt kmer query bir
completes 'two words.txt' kmer query two
[ ${#COMPREPLY[@]} = 1 ] || fail 'a name is taken for several'
for shell in zsh fish; do
    exits 0 completion $shell
    [ -s out ] || fail "nothing for $shell"
    if command -v $shell >path; then $shell -n out || fail "$shell cannot read it"; fi
done
