/** Longest stretch without a turn of the event loop, in milliseconds of CPU: other load does not count. */
export async function longestTurn(work: () => Promise<unknown>): Promise<number> {
  let longest = 0
  let over = false
  let last = cpuMs()
  const watch = () => {
    const now = cpuMs()
    longest = Math.max(longest, now - last)
    last = now
    if (!over) setImmediate(watch)
  }
  setImmediate(watch)
  try {
    await work()
  } finally {
    over = true
  }
  await new Promise(setImmediate)
  return longest
}

function cpuMs(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}
