#!/bin/bash
# GNU parallel, curl and jq, as one would write it in an afternoon: `parallel.sh FILE.jsonl FOLDER BASE_URL`.
# Keeps state: with --joblog and --resume-failed the same line again leaves out what is done. A creation that was on its
# way when it was killed is paid for again, and no file is synced.

set -euo pipefail
export OUT=$2 BASE_URL=$3 KEY=benchmark
mkdir -p "$OUT"

make_video() {
  set -euo pipefail
  local row=$1 number=$2 id task answer
  id=$(jq -r --arg number "$number" 'if .id == "" then "row-" + $number else .id end' <<<"$row")
  task=$(jq '{question, answer}' <<<"$row" |
    curl -sSf -H "Authorization: Bearer $KEY" -H 'Content-Type: application/json' --data-binary @- "$BASE_URL/api/gen_video" |
    jq -r .data.task_id)
  mkdir -p "$OUT/$id/frames"
  while true; do
    answer=$(curl -sSf -H "Authorization: Bearer $KEY" "$BASE_URL/api/get_status/$task")
    case $(jq -r .data.status <<<"$answer") in
      COMPLETED) break ;;
      FAILED) return 1 ;;
    esac
    sleep 30
  done
  printf '%s\n' "$answer" >"$OUT/$id/task.json"
  # One curl for all four files, so that they share a connection.
  jq -r --arg folder "$OUT/$id" '.data
    | ((.result[] | select(.type == "video") | "url = \"\(.content)\"\noutput = \"\($folder)/video.mp4\""),
       (.progress | to_entries[] | "url = \"\(.value.image)\"\noutput = \"\($folder)/frames/00\(.key + 1).png\""))' <<<"$answer" |
    curl -sSf --retry 5 --config -
}
export -f make_video

parallel --jobs 64 --joblog "$OUT/joblog" --resume-failed make_video {} {#} <"$1"
