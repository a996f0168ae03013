/** Preload: each time this process asks how much time has passed, another minute has. */

let passedMs = 0;
performance.now = () => {
  passedMs += 61_000;
  return passedMs;
};
