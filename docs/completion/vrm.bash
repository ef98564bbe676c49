# bash completion for vrm
_vrm()
{
    local current="${COMP_WORDS[COMP_CWORD]}" words=""
    local previous="${COMP_WORDS[COMP_CWORD-1]}" verb="${COMP_WORDS[1]}"
    if [ "$COMP_CWORD" -eq 1 ]; then
        words="help --help --version convert-motion inspect render sample simulate split thumbnail trace"
        COMPREPLY=($(compgen -W "$words" -- "$current"))
        return
    fi
    case "$verb:$previous" in
    *:--to) words="auto vrma bvh glb" ;;
    *:--format) words="text json ndjson" ;;
    *:--who) words="author licensed everyone" ;;
    *:--prefer) words="1 0" ;;
    *:--look-at-unit) words="auto degrees radians" ;;
    *:--pose) words="relaxed t a wave" ;;
    *:--motion) words="none idle sway walk" ;;
    *:--channel) words="color normal uv shading" ;;
    *:--prefer) words="1 0" ;;
    *:--look-at-unit) words="auto degrees radians" ;;
    *:--look-chain) words="none eyes eyes-head upper-body whole-spine" ;;
    *:--time) words="default reference" ;;
    *:--pose) words="relaxed t a wave" ;;
    *:--prefer) words="1 0" ;;
    *:--look-at-unit) words="auto degrees radians" ;;
    *:--color) words="auto always never" ;;
    esac
    if [ -z "$words" ] && [ "${current#-}" != "$current" ]; then
        case "$verb" in
        convert-motion) words=" --output --to --avatar --fps --trim --mirror --reverse --error --map --unit --animation --help --quiet --max-memory --timeout --color" ;;
        inspect) words=" --format --require --who --prefer --look-at-unit --help --quiet --max-memory --timeout --color" ;;
        render) words=" --output --size --camera --view-matrix --projection --pose --expression --look-at --settle --motion --time --frames --fps --strip --background --ground --light --ambient --debug --channel --samples --web-blend --no-outline --double-sided --statistics --help --quiet --max-memory --timeout --color" ;;
        sample) words=" --seed --help --quiet --max-memory --timeout --color" ;;
        simulate) words=" --prefer --look-at-unit --output --duration --fps --motion --loop --expression --look-at --look-chain --look-weight --look-debug --no-look-at --no-blink --time --pointer --help --quiet --max-memory --timeout --color" ;;
        split) words=" --output --help --quiet --max-memory --timeout --color" ;;
        thumbnail) words=" --output --size --pose --expression --look-at --settle --background --embedded --embed --help --quiet --max-memory --timeout --color" ;;
        trace) words=" --motion --prefer --look-at-unit --help --quiet --max-memory --timeout --color" ;;
        esac
    fi
    if [ -n "$words" ]; then
        COMPREPLY=($(compgen -W "$words" -- "$current"))
    else
        COMPREPLY=($(compgen -f -- "$current"))
    fi
}
complete -o filenames -F _vrm vrm
