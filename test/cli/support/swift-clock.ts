/** Preload: what this process takes for the time that has passed runs 300 times as fast: ten minutes are two seconds. */

const told = performance.now.bind(performance);
performance.now = () => told() * 300;
