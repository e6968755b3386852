import { expect } from 'bun:test'
import { join } from 'node:path'
import { programOf, type CleanPlace } from '../coding-clis/run-cli'
import { conversation } from './play'
import type { Service } from './service'
import { openTerminal } from './terminal'

/* Codex (0.171.0) before a user who types: it reads `CODEX_API_KEY` there for a provider of its own alone. */

const turns = conversation()
export const turnsEach = 2

/** The recipe of the guide (`responses.md`, `clients.md`). */
export const providerConfig = (url: string): string =>
  [
    'model_provider = "chapar"',
    'model_reasoning_effort = "high"',
    '[model_providers.chapar]',
    'name = "Chapar"',
    `base_url = "${url}"`,
    'env_key = "CODEX_API_KEY"',
    'wire_api = "responses"',
  ].join('\n')

/** The turns from this one on with one model: the first asked as it starts, others typed. The very first has a picture. */
export async function talkInTerminal(
  chapar: Service,
  place: CleanPlace,
  first: number,
): Promise<void> {
  const [asked, ...typed] = turns.slice(first, first + turnsEach)
  const { model = 'plain' } = turns[first / turnsEach] ?? {}
  const picture = ['--image', join(place.work, 'seen.png'), '--']
  const terminal = openTerminal(
    chapar.withVariables(
      programOf('codex'),
      ...(first === 0 ? [] : ['resume', '--last']),
      '--dangerously-bypass-approvals-and-sandbox',
      '--model',
      model,
      ...(first === 0 ? picture : []),
      asked?.question ?? '',
    ),
    place,
    { CODEX_HOME: join(place.home, '.codex') },
  )
  const enter = async (text: string) => {
    await terminal.settled()
    terminal.type(text)
    // What follows at once it takes for something pasted.
    await terminal.settled()
    terminal.type('\r')
  }
  try {
    await terminal.until(`Turn ${first + 1} done.`)
    for (const [at, { question }] of typed.entries()) {
      await enter(question)
      await terminal.until(`Turn ${first + at + 2} done.`)
    }
    await enter('/quit')
    expect(await terminal.exited).toBe(0)
  } finally {
    terminal.end()
  }
}
