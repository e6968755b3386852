import { isParent, runParent } from './cli/parent'
import { beginProcess, endProcess } from './cli/process'

beginProcess()
// Only now: the HTTP framework reads NODE_ENV when it is loaded.
const args = process.argv.slice(2)
if (isParent(args)) await runParent()
const { runMain } = await import('./cli/main')
await runMain(args)
endProcess()
