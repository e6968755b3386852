/**
 * Least processor time of a few runs, in milliseconds. Neither other load on the machine counts, nor
 * what a first run compiles.
 */
export async function leastCpuMs(work: () => unknown, runs = 3): Promise<number> {
  let least = Infinity
  for (let run = 0; run < runs; run++) {
    const began = process.cpuUsage()
    await work()
    const { user, system } = process.cpuUsage(began)
    least = Math.min(least, (user + system) / 1000)
  }
  return least
}
