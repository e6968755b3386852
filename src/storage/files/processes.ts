import { readFileSync } from 'node:fs'
import { errorCode } from '../../domain/error-code'

/** When a process began, by proc_pid_stat(5): a reused id is another process. Empty where it has ended. */
export function startOf(pid: number): string {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    const [state, ...rest] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return state === 'Z' || state === 'X' ? '' : (rest[18] ?? '')
  } catch {
    return ''
  }
}

/** Whether a process goes on; one of another user is alive too, though it may not be signalled. */
export function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (thrown) {
    return errorCode(thrown) === 'EPERM'
  }
}

const lookMs = 20

/** Waits until none of some processes is left. @returns false where there still are some after `maxMs` */
export async function noneLeft(
  processes: () => readonly unknown[],
  maxMs: number,
): Promise<boolean> {
  const until = performance.now() + maxMs
  while (processes().length > 0) {
    if (performance.now() > until) return false
    await Bun.sleep(lookMs)
  }
  return true
}
