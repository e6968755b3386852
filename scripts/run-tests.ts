/** Runs `bun test` and ends with one plain line that says how many passed and failed. */
/** What terminals take for colours. */
const colour = new RegExp(`${String.fromCharCode(27)}\\[\\d+m`, 'g')
const log: string[] = []
const run = Bun.spawn([process.execPath, 'test', ...process.argv.slice(2)], {
  env: process.env,
  stdout: 'inherit',
  stderr: 'pipe',
})
const decoder = new TextDecoder()
for await (const chunk of run.stderr) {
  process.stderr.write(chunk)
  log.push(decoder.decode(chunk, { stream: true }))
}
const code = await run.exited
const count = (word: string): string =>
  new RegExp(`^\\s*(\\d+) ${word}$`, 'm').exec(log.join('').replaceAll(colour, ''))?.[1] ?? '0'
console.log(`${count('pass')} passed, ${count('fail')} failed`)
process.exit(code)
