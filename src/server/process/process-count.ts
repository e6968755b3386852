const maxProcesses = 256

/**
 * Number of processes as it is configured.
 * @param name of what was set
 * @returns 0 for `auto`
 * @throws RangeError that names it
 */
export function processesOf(text: string, name: string): number {
  if (text === 'auto') return 0
  const count = Number(text)
  if (Number.isSafeInteger(count) && count >= 1 && count <= maxProcesses) return count
  throw new RangeError(
    `${name} must be auto, or a whole number from 1 to ${maxProcesses}, not ${text}`,
  )
}
