import { beginProcess, endProcess } from './cli/process'

beginProcess()
// Only now: the HTTP framework reads NODE_ENV when it is loaded.
const { runMain } = await import('./cli/main')
await runMain(process.argv.slice(2))
endProcess()
