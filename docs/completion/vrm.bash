# bash completion for vrm
_vrm()
{
    local current="${COMP_WORDS[COMP_CWORD]}" words=""
    local previous="${COMP_WORDS[COMP_CWORD-1]}" verb="${COMP_WORDS[1]}"
    if [ "$COMP_CWORD" -eq 1 ]; then
        words="help --help --version inspect sample simulate trace"
        COMPREPLY=($(compgen -W "$words" -- "$current"))
        return
    fi
    case "$verb:$previous" in
    *:--format) words="text json ndjson" ;;
    *:--who) words="author licensed everyone" ;;
    *:--motion) words="sway walk idle none" ;;
    *:--time) words="default reference" ;;
    *:--color) words="auto always never" ;;
    esac
    if [ -z "$words" ] && [ "${current#-}" != "$current" ]; then
        case "$verb" in
        inspect) words=" --format --require --who --help --quiet --max-memory --timeout --color" ;;
        sample) words=" --seed --help --quiet --max-memory --timeout --color" ;;
        simulate) words=" --output --duration --fps --motion --expression --look-at --no-look-at --no-blink --time --pointer --help --quiet --max-memory --timeout --color" ;;
        trace) words=" --help --quiet --max-memory --timeout --color" ;;
        esac
    fi
    if [ -n "$words" ]; then
        COMPREPLY=($(compgen -W "$words" -- "$current"))
    else
        COMPREPLY=($(compgen -f -- "$current"))
    fi
}
complete -o filenames -F _vrm vrm
