# shellcheck shell=bash
# common.sh - what every experiment's run does alike. A run goes to the root of the tree, sources this, and says
#
#   begin FOLDER "$@"          sets effort (full, long, quick or smoke; QUICK=1 means quick), programs, out; takes the rest of the
#                              words for the names of the tables wanted, none for all
#   table NAME COMMAND...      data/NAME.tsv is there whole or not at all
#   plot                       the pictures, by plot.gp
#
# full is what `make lab` does, ten minutes at most; long is for experiments that have more to give, and else the same.
# Only these two write into lab/. The others are sketches: they stay below build/lab/, in a folder that says so, and so does every
# picture of theirs.

begin() {
    folder=lab/$1
    programs=build/lab/$1
    effort=${2:-${QUICK:+quick}}
    effort=${effort:-full}
    only=" ${*:3} "
    out=$folder
    case $effort in
    full | long) ;;
    quick | smoke)
        out=$programs/$effort
        mkdir -p "$out"
        echo "A sketch: made by \`$folder/run $effort\`, with small sizes and few repetitions. Not to be cited." >"$out/SKETCH"
        ;;
    *)
        echo "usage: $folder/run [full|quick|smoke [TABLE...]]" >&2
        exit 2
        ;;
    esac
    mkdir -p "$out/data"
}

table() {
    [[ $only = "  " || $only = *" $1 "* ]] || return 0
    local file=$out/data/$1.tsv
    "${@:2}" >"$file.new"
    mv "$file.new" "$file"
    echo "$file"
}

plot() {
    local mark=
    if [ "$out" != "$folder" ]; then
        mark="set label 99 'sketch' at screen 0.4,0.5 center rotate by 25 font ',72' tc rgb '#dddddd' back;"
    fi
    gnuplot -e "data='$out/data'; out='$out'; $mark" "$folder/plot.gp"
}
