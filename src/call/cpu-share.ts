/** Milliseconds over which the share is taken. */
const windowMs = 500

/**
 * The share of a core that the process used lately, at most half a second old whenever it is asked
 * for often enough. Nothing runs in between: reading it is cheap, and most calls read nothing.
 * @param now milliseconds @param cpuMs processor time of the process, in milliseconds
 */
export function openCpuShare(now = performance.now.bind(performance), cpuMs = usedMs) {
  let [sinceMs, sinceCpuMs, share] = [now(), cpuMs(), 0]
  return (): number => {
    const elapsedMs = now() - sinceMs
    if (elapsedMs < windowMs) return share
    const usedNow = cpuMs()
    share = (usedNow - sinceCpuMs) / elapsedMs
    sinceMs += elapsedMs
    sinceCpuMs = usedNow
    return share
  }
}

function usedMs(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}
