/**
 * Runs jobs, at most `limit` at once.
 * @template Job, Result
 * @param {Job[]} jobs
 * @param {number} limit
 * @param {(job: Job) => Promise<Result>} run
 * @returns {Promise<Result[]>} in the order of the jobs
 */
export async function runLimited(jobs, limit, run) {
  /** @type {Result[]} */
  const results = [];
  const waiting = jobs.map((job, index) => ({ job, index }));
  async function work() {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      results[next.index] = await run(next.job);
    }
  }
  await Promise.all(Array.from({ length: limit }, work));
  return results;
}
