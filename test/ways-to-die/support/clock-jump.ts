/** Preload: at each SIGUSR2 the clock of this process jumps by the next of `CLOCK_JUMPS_MS`, as after a sleep, and says so. */

const jumpsMs = (process.env.CLOCK_JUMPS_MS ?? '').split(',').map(Number);

process.on('SIGUSR2', () => {
  const jumpMs = jumpsMs.shift() ?? 0;
  const told = Date.now;
  Date.now = () => told() + jumpMs;
  process.stderr.write(`the clock jumps by ${jumpMs} ms\n`);
});
