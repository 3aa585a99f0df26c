#!/bin/sh
# Runs everything in this folder on the GPU of this machine and writes a report.
#
# usage: run-all.sh [STEP...]
#
# steps: device hello conditions devices programs large sanitizer bench semantics (default: all)
#   LIMIT=300         seconds that one step may take (a step is stopped, not the run)
#   OUT=./report      where report.txt (all output) and report.jsonl (one object for each step) go
#   LIBRARY=libcuda.so.1  the driver that semantics are recorded from
#   GPU_BACKEND=auto  what the loader gets as --backend: auto, cuda, hsa or emulator
set -u
here=$(cd "$(dirname "$0")" && pwd)
out=${OUT:-$here/report}
limit=${LIMIT:-300}
export GPU_LOADER="$here/gpu-loader" GPU_IMAGES="$here/images" GPU_BACKEND="${GPU_BACKEND:-auto}"
mkdir -p "$out" || exit 1
text=$out/report.txt
lines=$out/report.jsonl
: >"$text"
: >"$lines"
failed=0
skipped=0
why=

# skip NAME REASON: says what this machine cannot run, here and in the last line.
skip() {
    echo "== $1: skipped, $2" | tee -a "$text"
    skipped=$((skipped + 1))
    why="$why${why:+; }$1 ($2)"
}

# step NAME EXPECTED-EXIT-CODE COMMAND...: runs a command and reports it.
step() {
    name=$1 expected=$2
    shift 2
    echo "== $name: $*" | tee -a "$text"
    begin=$(date +%s.%N)
    timeout --kill-after=10 "$limit" "$@" >"$out/step.log" 2>&1 </dev/null
    code=$?
    seconds=$(echo "$begin $(date +%s.%N)" | awk '{ printf "%.2f", $2 - $1 }')
    cat "$out/step.log" >>"$text"
    passed=$(counted passed)
    missed=$(counted failed)
    if [ "$code" -eq "$expected" ]; then ok=true; else ok=false failed=$((failed + 1)); fi
    # A passed step is one line here; a failed one shows how it ended.
    $ok || tail -n 25 "$out/step.log"
    echo "-- $name: exit $code, expected $expected, $passed passed, $missed failed, $seconds s" | tee -a "$text"
    printf '{"step":"%s","ok":%s,"exit":%d,"seconds":%s,"passed":%d,"failed":%d}\n' \
        "$name" "$ok" "$code" "$seconds" "$passed" "$missed" >>"$lines"
}

# counted WORD: the sum of `N WORD` over the summaries of the tests in the step's output.
counted() {
    awk -v word="$1" '/^test result: / {
        for (i = 2; i <= NF; i++) { w = $i; sub(/;$/, "", w); if (w == word) sum += $(i - 1) }
    } END { print sum + 0 }' "$out/step.log"
}

device() {
    if command -v nvidia-smi >/dev/null; then
        step nvidia-smi 0 nvidia-smi --query-gpu=name,driver_version,memory.total --format=csv
    fi
    step list-devices 0 "$GPU_LOADER" --backend "$GPU_BACKEND" --list-devices
}

hello() {
    step hello 127 "$GPU_LOADER" --backend "$GPU_BACKEND" "$GPU_IMAGES/hello.ptx" args to the main function
}

# The circumstances that a program may meet: launches that block, one core, memory that was not zero, an image compiled before.
conditions() {
    step blocking 127 env CUDA_LAUNCH_BLOCKING=1 "$GPU_LOADER" --backend "$GPU_BACKEND" "$GPU_IMAGES/hello.ptx" args
    for program in divergence bulk heap; do
        step "blocking-$program" 0 env CUDA_LAUNCH_BLOCKING=1 "$here/tests/programs" "$program/"
        step "one-core-$program" 0 taskset -c 0 "$here/tests/programs" "$program/"
        step "poisoned-$program" 0 env GPU_POISON=1 "$here/tests/programs" "$program/"
    done
    ptxas=$(cuda_tool ptxas)
    if [ -z "$ptxas" ]; then
        skip cubin "there is no ptxas"
        return
    fi
    cubins=$out/cubins
    mkdir -p "$cubins"
    for program in hello constructors divergence at_exit; do
        step "ptxas-$program" 0 "$ptxas" "-arch=$(architecture)" "$GPU_IMAGES/$program.ptx" -o "$cubins/$program.cubin"
    done
    step cubin 127 "$GPU_LOADER" --backend cuda "$cubins/hello.cubin" args to the main function
    for program in constructors divergence at_exit; do
        step "cubin-$program" 0 env GPU_IMAGES="$cubins" "$here/tests/programs" "$program/cubin"
    done
}

# architecture: what NVIDIA's compiler calls the first GPU.
architecture() {
    echo "sm_$(nvidia-smi --query-gpu=compute_cap --format=csv,noheader | head -n 1 | tr -d .)"
}

# cuda_tool NAME: where a program of the CUDA toolkit is, if it is there.
cuda_tool() {
    command -v "$1" || ls /usr/local/cuda*/bin/"$1" 2>/dev/null | head -n 1
}

# One process on all GPUs, and one for each of them as a launcher starts them.
devices() {
    count=$("$GPU_LOADER" --backend "$GPU_BACKEND" --list-devices | grep -c '^cuda [0-9]*: ')
    if [ "$count" -lt 2 ]; then
        skip devices "it takes two GPUs of NVIDIA and there are $count"
        return
    fi
    step devices-all 127 "$GPU_LOADER" --backend "$GPU_BACKEND" --devices all --tag-output "$GPU_IMAGES/hello.ptx" args
    cp "$out/step.log" "$out/all.log"
    device=0
    while [ "$device" -lt "$count" ]; do
        step "devices-output-$device" 0 grep -F "[$device] args" "$out/all.log"
        step "devices-rank-$device" 127 env OMPI_COMM_WORLD_SIZE="$count" OMPI_COMM_WORLD_RANK="$device" \
            OMPI_COMM_WORLD_LOCAL_RANK="$device" "$GPU_LOADER" -v --backend "$GPU_BACKEND" "$GPU_IMAGES/hello.ptx" args
        cp "$out/step.log" "$out/rank.log"
        step "devices-of-rank-$device" 0 grep -F "device $device: " "$out/rank.log"
        device=$((device + 1))
    done
    rm -f "$out/all.log" "$out/rank.log"
}

programs() {
    for test in "$here"/tests/*; do
        step "tests-${test##*/}" 0 "$test"
    done
}

# What is too slow for an emulator.
large() {
    export GPU_LARGE=1
    programs
    unset GPU_LARGE
}

sanitizer() {
    tool=$(cuda_tool compute-sanitizer)
    if [ -z "$tool" ]; then
        skip sanitizer "there is no compute-sanitizer"
        return
    fi
    # 99 is what the tool ends with when it has found something. What the driver's functions return is not looked at: the
    # loader asks for what an image may lack.
    for check in memcheck synccheck; do
        set -- "$tool" --tool "$check" --report-api-errors no --error-exitcode 99 "$GPU_LOADER" --backend cuda
        step "$check" 127 "$@" "$GPU_IMAGES/hello.ptx" args
        step "$check-divergence" 0 "$@" --threads 64 "$GPU_IMAGES/divergence.ptx"
    done
    step memcheck-planted 99 "$tool" --tool memcheck --error-exitcode 99 "$GPU_LOADER" --backend cuda "$GPU_IMAGES/faults.ptx" wild
    step synccheck-planted 99 "$tool" --tool synccheck --error-exitcode 99 "$GPU_LOADER" --backend cuda --timeout 10 \
        --threads 32 "$GPU_IMAGES/faults.ptx" sync
}

bench() {
    # A driver takes a minute for the image with all kernels; compiled before, it is there at once.
    image=$GPU_IMAGES/bench.ptx
    ptxas=$(cuda_tool ptxas)
    if [ -n "$ptxas" ]; then
        step bench-ptxas 0 "$ptxas" "-arch=$(architecture)" "$image" -o "$out/bench.cubin" && image=$out/bench.cubin
    fi
    hello=$GPU_IMAGES/hello.ptx
    if [ -n "$ptxas" ]; then
        step bench-ptxas-hello 0 "$ptxas" "-arch=$(architecture)" "$hello" -o "$out/hello.cubin" && hello=$out/hello.cubin
    fi
    step bench-gpu 0 "$here/bench/gpu" --image "$image" --hello "$hello" --json "$out/bench.jsonl" --svg "$out/bench.svg"
    cp "$out/step.log" "$out/bench.txt"
    step bench-profile 0 "$here/bench/gpu" --image "$image" --profile "$out/profile.txt" 'calls, 132 warps, 4' \
        'posts, 132 warps, 4' 'calls, 4224 warps, 4' transfer
    step bench-server 0 "$here/bench/server" --bench
    cp "$out/step.log" "$out/bench-server.txt"
    step bench-ptx 0 "$here/bench/ptx" --bench
}

# Records what instructions give (semantics.txt) and how probes end (probes.txt): what the emulator is compared with.
semantics() {
    recorder=$here/bin/ptx_semantics
    library=${LIBRARY:-libcuda.so.1}
    : >"$out/semantics.log"
    # In four parts at once, as a driver's compiler is slow.
    for part in 1 2 3 4; do
        record "$out/semantics-$part.txt" "$part/4" &
    done
    wait
    {
        head -n 1 "$out/semantics-1.txt"
        grep -hv -e '^# trying' -e '^# PTX' "$out"/semantics-[1-4].txt
    } >"$out/semantics.txt"
    # Each probe in a process of its own, as some hang.
    mkdir -p "$out/probes"
    "$recorder" probes | {
        n=0
        while read -r probe; do
            n=$((n + 1))
            timeout -s KILL 10 "$recorder" probe "$probe" "$library" >"$out/probes/$(printf %02d "$n")" \
                2>>"$out/semantics.log" </dev/null &
            [ $((n % 16)) -ne 0 ] || wait
        done
        wait
    }
    cat "$out"/probes/* >"$out/probes.txt"
    rm -rf "$out"/semantics-[1-4].txt "$out/probes"
    step semantics 0 "$recorder" missing "$out/semantics.txt"
    cat "$out/semantics.log" >>"$text"
}

# record FILE PART: a kernel or a compiler that fails ends the process, and the next one goes on behind it.
record() {
    rm -f "$1"
    for _ in 1 2 3 4 5 6; do
        PART=$2 timeout -s KILL 40 "$recorder" record "$1" "$library" 2>>"$out/semantics.log"
        code=$?
        [ "$code" -eq 3 ] || [ "$code" -gt 128 ] || break
    done
}

cd "$here" || exit 1
for name in "${@:-device hello conditions devices programs large sanitizer bench semantics}"; do
    for one in $name; do
        case $one in
            device | hello | conditions | devices | programs | large | sanitizer | bench | semantics) "$one" ;;
            *) echo "run-all.sh: there is no step $one" >&2 && exit 2 ;;
        esac
    done
done
rm -f "$out/step.log"
steps=$(wc -l <"$lines")
echo "$((steps - failed)) passed, $failed failed, $skipped skipped${why:+: $why}"
[ "$failed" -eq 0 ]
