# bash completion for vrm
_vrm()
{
    local current="${COMP_WORDS[COMP_CWORD]}" words=""
    local previous="${COMP_WORDS[COMP_CWORD-1]}" verb="${COMP_WORDS[1]}"
    if [ "$COMP_CWORD" -eq 1 ]; then
        words="help --help --version bake bench compare-runtimes convert-motion cook inspect migrate ragdoll render rpc sample simulate split stats thumbnail trace validate view"
        COMPREPLY=($(compgen -W "$words" -- "$current"))
        return
    fi
    case "$verb:$previous" in
    bake:--prefer) words="1 0" ;;
    bake:--look-at-unit) words="auto degrees radians" ;;
    bake:--look-at-range) words="schema text" ;;
    bench:--lod) words="full sleep mixed" ;;
    bench:--format) words="text json" ;;
    compare-runtimes:--format) words="text json" ;;
    compare-runtimes:--prefer) words="1 0" ;;
    compare-runtimes:--look-at-unit) words="auto degrees radians" ;;
    compare-runtimes:--look-at-range) words="schema text" ;;
    convert-motion:--to) words="auto vrma bvh glb" ;;
    cook:--prefer) words="1 0" ;;
    cook:--look-at-unit) words="auto degrees radians" ;;
    cook:--look-at-range) words="schema text" ;;
    inspect:--format) words="text json ndjson" ;;
    inspect:--who) words="author licensed everyone" ;;
    inspect:--prefer) words="1 0" ;;
    inspect:--look-at-unit) words="auto degrees radians" ;;
    inspect:--look-at-range) words="schema text" ;;
    migrate:--turn) words="data root" ;;
    migrate:--prefer) words="1 0" ;;
    migrate:--look-at-unit) words="auto degrees radians" ;;
    migrate:--look-at-range) words="schema text" ;;
    ragdoll:--detail) words="16 11 7 all" ;;
    ragdoll:--format) words="text json" ;;
    render:--look-chain) words="none eyes eyes-head upper-body whole-spine" ;;
    render:--sheet) words="none expressions turntable motion" ;;
    render:--channel) words="color normal uv shading" ;;
    render:--tangents) words="file made" ;;
    rpc:--format) words="text json" ;;
    sample:--outfit) words="by-seed uniform hoodie" ;;
    sample:--hair) words="by-seed long short" ;;
    simulate:--profile) words="libvrm spec univrm three-vrm" ;;
    simulate:--prefer) words="1 0" ;;
    simulate:--look-at-unit) words="auto degrees radians" ;;
    simulate:--look-at-range) words="schema text" ;;
    simulate:--look-chain) words="none eyes eyes-head upper-body whole-spine" ;;
    simulate:--drive) words="torque velocity" ;;
    simulate:--engine) words="light ode" ;;
    simulate:--fall) words="protect limp" ;;
    simulate:--steps) words="on off" ;;
    simulate:--time) words="default reference" ;;
    simulate:--lod) words="full sleep" ;;
    stats:--format) words="text json" ;;
    thumbnail:--look-chain) words="none eyes eyes-head upper-body whole-spine" ;;
    trace:--profile) words="libvrm spec univrm three-vrm" ;;
    trace:--prefer) words="1 0" ;;
    trace:--look-at-unit) words="auto degrees radians" ;;
    trace:--look-at-range) words="schema text" ;;
    validate:--format) words="text json ndjson" ;;
    validate:--severity) words="error warning info hint" ;;
    validate:--fail-on) words="error warning never" ;;
    validate:--prefer) words="1 0" ;;
    validate:--look-at-unit) words="auto degrees radians" ;;
    validate:--look-at-range) words="schema text" ;;
    view:--prefer) words="1 0" ;;
    view:--look-at-unit) words="auto degrees radians" ;;
    view:--look-at-range) words="schema text" ;;
    *:--color) words="auto always never" ;;
    esac
    if [ -z "$words" ] && [ "${current#-}" != "$current" ]; then
        case "$verb" in
        bake) words=" --output --force --repair --t-pose --prefer --look-at-unit --look-at-range --files-from --jobs --skip-existing --manifest --shard --file-timeout --help --quiet --strict --max-memory --timeout --color --record" ;;
        bench) words=" --instances --threads --rate --motion --lod --format --help --quiet --strict --max-memory --timeout --color --record" ;;
        compare-runtimes) words=" --motion --duration --format --prefer --look-at-unit --look-at-range --help --quiet --strict --max-memory --timeout --color --record" ;;
        convert-motion) words=" --output --force --to --avatar --feet --fps --trim --mirror --reverse --loop --error --map --unit --animation --files-from --jobs --skip-existing --manifest --shard --file-timeout --help --quiet --strict --max-memory --timeout --color --record" ;;
        cook) words=" --prefer --look-at-unit --look-at-range --output --force --files-from --jobs --skip-existing --manifest --shard --file-timeout --help --quiet --strict --max-memory --timeout --color --record" ;;
        inspect) words=" --format --require --who --prefer --look-at-unit --look-at-range --files-from --jobs --skip-existing --manifest --shard --file-timeout --help --quiet --strict --max-memory --timeout --color --record" ;;
        migrate) words=" --output --force --repair --turn --prefer --look-at-unit --look-at-range --files-from --jobs --skip-existing --manifest --shard --file-timeout --help --quiet --strict --max-memory --timeout --color --record" ;;
        ragdoll) words=" --detail --mass --edit --format --output --force --files-from --jobs --skip-existing --manifest --shard --file-timeout --help --quiet --strict --max-memory --timeout --color --record" ;;
        render) words=" --output --force --size --camera --view-matrix --projection --pose --expression --look-at --look-chain --look-around-up --settle --motion --loop --time --frames --fps --strip --sheet --background --ground --shadow --light --ambient --environment --debug --channel --samples --tangents --web-blend --no-outline --double-sided --statistics --files-from --jobs --skip-existing --manifest --shard --file-timeout --help --quiet --strict --max-memory --timeout --color --record" ;;
        rpc) words=" --step-on-render --web-blend --format --help --quiet --strict --max-memory --timeout --color --record" ;;
        sample) words=" --output --seed --outfit --hair --height --minimal --help --quiet --strict --max-memory --timeout --color --record" ;;
        simulate) words=" --profile --prefer --look-at-unit --look-at-range --output --force --repair --duration --fps --motion --feet --loop --expression --look-at --look-chain --look-weight --look-debug --no-look-at --no-blink --ragdoll --drive --engine --definition --hit --explode --weights --fall --steps --get-up --ground --time --lod --pointer --files-from --jobs --skip-existing --manifest --shard --file-timeout --help --quiet --strict --max-memory --timeout --color --record" ;;
        split) words=" --output --force --repair --files-from --jobs --skip-existing --manifest --shard --file-timeout --help --quiet --strict --max-memory --timeout --color --record" ;;
        stats) words=" --format --help --quiet --strict --max-memory --timeout --color --record" ;;
        thumbnail) words=" --output --size --pose --expression --look-at --look-chain --look-around-up --settle --background --embedded --embed --force --files-from --jobs --skip-existing --manifest --shard --file-timeout --help --quiet --strict --max-memory --timeout --color --record" ;;
        trace) words=" --output --force --motion --profile --prefer --look-at-unit --look-at-range --help --quiet --strict --max-memory --timeout --color --record" ;;
        validate) words=" --format --severity --fail-on --ignore --only --override --max-issues --threads --fix --output --force --prefer --look-at-unit --look-at-range --files-from --jobs --skip-existing --manifest --shard --file-timeout --help --quiet --strict --max-memory --timeout --color --record" ;;
        view) words=" --width --height --samples --screenshots --font --control --prefer --look-at-unit --look-at-range --help --quiet --strict --max-memory --timeout --color --record" ;;
        esac
    fi
    if [ -n "$words" ]; then
        COMPREPLY=($(compgen -W "$words" -- "$current"))
    else
        COMPREPLY=($(compgen -f -- "$current"))
    fi
}
complete -o filenames -F _vrm vrm
