import { beginProcess, endProcess } from './cli/process'

beginProcess()
// Only now: the HTTP framework reads NODE_ENV when it is loaded.
const { runProgram } = await import('./cli/program')
await runProgram(process.argv.slice(2))
endProcess()
