/**
 * Cost of counting a prompt by our vocabulary and by gpt-tokenizer's: memory to have it, the time of
 * ordinary text, and that of one run of a letter. Each in a process of its own.
 *
 *     bun scripts/benchmark/token-counter.ts
 */
const word = 'Counts the tokens of a prompt, as its vendor will: ฿12 und 3 Äpfel. '
const text = word.repeat(4000)
const runs = [10_000, 20_000, 40_000]
const rounds = 5

interface Subject {
  count(text: string): Promise<number>
}

const subjects: Readonly<Record<string, () => Promise<Subject>>> = {
  async ours() {
    const { openTokenCounter } = await import('../../src/gateway/metering/vocabulary/token-counter')
    // A prompt each: what is merged of one is bounded.
    return { count: async (given) => await (await openTokenCounter()).count(given) }
  },
  async 'gpt-tokenizer'() {
    const { countTokens } = await import('gpt-tokenizer/encoding/o200k_base')
    return { count: async (given) => countTokens(given) }
  },
}

async function measure(name: string): Promise<void> {
  Bun.gc(true)
  const before = process.memoryUsage.rss()
  const subject = await subjects[name]?.()
  if (subject === undefined) throw new RangeError(`nothing is called ${name}`)
  await subject.count(word)
  Bun.gc(true)
  const megabytes = (process.memoryUsage.rss() - before) / 1024 / 1024
  const timed = async (given: string): Promise<number> => {
    const began = performance.now()
    await subject.count(given)
    return performance.now() - began
  }
  let textMs = Number.POSITIVE_INFINITY
  for (let round = 0; round < rounds; round++) textMs = Math.min(textMs, await timed(text))
  const runMs: string[] = []
  for (const length of runs)
    runMs.push(`${length / 1000} kB ${(await timed('a'.repeat(length))).toFixed(0)} ms`)
  console.log(
    `${name}: ${megabytes.toFixed(0)} MB, ${textMs.toFixed(1)} ms for ${Math.round(text.length / 1000)} kB of text, one run of ${runMs.join(', ')}`,
  )
}

const [only] = process.argv.slice(2)
if (only === undefined)
  for (const name of Object.keys(subjects))
    Bun.spawnSync([process.execPath, import.meta.path, name], {
      stdout: 'inherit',
      stderr: 'inherit',
    })
else await measure(only)
