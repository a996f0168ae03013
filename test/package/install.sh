#!/usr/bin/env bash
# The package as its users have it: installed from its tarball into an empty folder, where it carries a sample to its end.
# Arguments: the tarball, the folder of the node to use, options of `npm install`. Needs the checkout as its working folder.
set -euo pipefail
tarball=$1 node_folder=$2 checkout=$PWD
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
export PATH=$node_folder:$PATH
npm init --yes >/dev/null
npm install --silent --no-audit --no-fund "${@:3}" "$tarball"
npm ls --all >/dev/null
echo "node $(node --version): $(du -sh node_modules | cut -f1) installed"
npx batch-video --version >/dev/null

run_sample() {
  "$@"
  test "$(wc -l <videos/report.jsonl)" = 12
}
# The line of the README for who has the package.
line=$(grep -o 'npx batch run node_modules/batch-video/[^`]*' node_modules/batch-video/README.md)
run_sample $line --duration 500ms --quiet
# Without what draws videos, all have the clip of the package.
test -d node_modules/@napi-rs/canvas || cmp videos/quadratic/video.webm node_modules/batch-video/samples/clip.webm
# What draws formulas in videos needs nothing else.
node --input-type=module --eval "
  const { drawFormula } = await import('$folder/node_modules/batch-video/dist/service/simulator/clip-formulas.js');
  drawFormula('x^2', false);"

# As a library, in a program that the compiler has looked at.
cp node_modules/batch-video/docs/library-example.mts .
"$checkout/node_modules/.bin/tsc" --noEmit --strict --skipLibCheck false --module nodenext --target es2022 \
  --typeRoots "$checkout/node_modules/@types" --types node library-example.mts
rm -r videos
run_sample node library-example.mts node_modules/batch-video/samples/questions.csv | tail -n 1
