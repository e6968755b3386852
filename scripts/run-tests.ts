/** Runs `bun test` and ends with one plain line that says how many passed and failed. */
const run = Bun.spawn([process.execPath, 'test', ...process.argv.slice(2)], {
  env: process.env,
  stdout: 'inherit',
  stderr: 'pipe',
})
/** The summary comes last. */
const longest = 20_000
let end = ''
const decoder = new TextDecoder()
for await (const chunk of run.stderr) {
  process.stderr.write(chunk)
  end = (end + decoder.decode(chunk, { stream: true })).slice(-longest)
}
const code = await run.exited

/** Escape sequences that terminals take for colours. */
const colour = new RegExp(`${String.fromCharCode(27)}\\[\\d+m`, 'g')
const plain = end.replaceAll(colour, '')
const count = (word: string): number =>
  Number(new RegExp(`^\\s*(\\d+) ${word}s?$`, 'm').exec(plain)?.[1] ?? 0)

if (end.includes('did not match any test files'))
  console.log(`no test file has this in its path: ${process.argv.slice(2).join(' ')}`)
// A crash leaves no summary at all.
const failed = count('fail')
const skipped = count('skip') + count('todo')
console.log(
  `${count('pass')} passed, ${code === 0 ? failed : Math.max(1, failed)} failed` +
    (skipped > 0 ? `, ${skipped} skipped` : ''),
)
process.exit(code)
