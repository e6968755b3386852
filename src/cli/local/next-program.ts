import type { NextProcess, NextProgram } from '../../server/process/leave'
import type { Succession } from '../../server/process/run-contract'
import { workingFolder } from '../../gateway/outbound/run-program'
import { successionVariable, type ParentOrder, type ParentReport } from '../parent'
import { faultOfNext, isNodeProcess, ownProgram } from './node-processes'
import { readyFileIn } from './ready-file'

/** Where the process leaves whose place this one takes; null for none. */
const told = process.env[successionVariable]
const succeeds = told === undefined ? null : (JSON.parse(told) as Succession)

/** Same. Programs of this process are not to see it. */
export function takeSuccession(): Succession | null {
  delete process.env[successionVariable]
  return succeeds
}

/** Ready file among the words of a command that begins to serve; null where another process has written it. */
export const ownReadyFile = (args: readonly string[]): string | null =>
  succeeds !== null || isNodeProcess() ? null : readyFileIn(args)

/** The program on the disk, with the arguments of this process, in its place. */
export const nextProgram: NextProgram = {
  fault: faultOfNext,
  start(succession) {
    const text = JSON.stringify(succession)
    return process.send === undefined
      ? begin(text)
      : beginByParent(text, process.send.bind(process))
  },
}

async function begin(succession: string): Promise<NextProcess> {
  const child = Bun.spawn([...ownProgram()], {
    env: { ...process.env, [successionVariable]: succession },
    cwd: workingFolder(),
    stdio: ['ignore', 'inherit', 'inherit'],
  })
  child.unref()
  return { pid: child.pid, exited: child.exited, kill: () => child.kill('SIGKILL') }
}

/** Has the parent of this process begin it: that one stays, and ends with the last of them. */
async function beginByParent(
  succession: string,
  send: (order: ParentOrder) => unknown,
): Promise<NextProcess> {
  const started = Promise.withResolvers<number>()
  const ended = Promise.withResolvers<void>()
  const hear = (report: ParentReport) => {
    if (report.kind === 'started') started.resolve(report.pid)
    else if (report.kind === 'failed') started.reject(new Error(report.message))
    else ended.resolve()
  }
  process.on('message', hear)
  send({ kind: 'start', succession })
  const pid = await started.promise
  void ended.promise.then(() => process.off('message', hear))
  return { pid, exited: ended.promise, kill: () => send({ kind: 'kill', pid }) }
}
