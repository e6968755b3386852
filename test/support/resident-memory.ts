import { readFileSync } from 'node:fs'

/** Resident memory of a process, in bytes; of Linux alone. */
export const residentBytes = (pid: number): number =>
  Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) * 1024
