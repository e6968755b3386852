import { beginProcess, endProcess } from './commands/process'

beginProcess()
// Only now: the HTTP framework reads NODE_ENV when it is loaded.
const { runProgram } = await import('./commands/program')
await runProgram(process.argv.slice(2))
endProcess()
