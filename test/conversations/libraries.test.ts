import { afterAll, beforeAll, expect, test } from 'bun:test'
import { existsSync } from 'node:fs'
import { isLong } from '../support/campaigns'
import { conversation, expectCharged, oneCallEach, picture, turnCount } from './play'
import { openService, toolPath, type Answered, type Service } from './service'

let chapar: Service
beforeAll(async () => {
  chapar = await openService()
  chapar.vendors.play(oneCallEach('look', (question) => ({ place: `place ${question}` })))
})
afterAll(() => chapar.close())

interface Played {
  readonly ended: readonly string[]
  readonly error: string | null
}

async function play(command: readonly string[], client: string): Promise<Played> {
  const job = { client, url: chapar.url, key: chapar.key, picture, turns: conversation() }
  const child = Bun.spawn([...command], {
    stdin: new TextEncoder().encode(JSON.stringify(job)),
    stdout: 'pipe',
    stderr: 'pipe',
  })
  const [stdout, stderr] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
  ])
  if (stdout === '') throw new Error(stderr)
  return JSON.parse(stdout.trimEnd().split('\n').at(-1) ?? '') as Played
}

/** A vendor that is given what it cannot read is given the rest again, without a word to the client. */
const clientFaults = (refused: readonly string[]): readonly string[] =>
  refused.filter((why) => !why.startsWith('budget: messages: Expected `thinking`'))

const javaScript = [
  'openai 7 chat',
  'openai 6 chat',
  'openai 7 responses',
  'openai 6 responses',
  'anthropic 1',
  'anthropic 0',
  'ai 7 chat',
  'ai 7 responses',
  'ai 7 messages',
  'ai 7 compatible',
  'ai 6 chat',
  'ai 6 responses',
  'ai 6 messages',
  'ai 6 compatible',
]

/** Libraries of Python: the folder that each needs, and what of it talks. */
const python = {
  '.venv': ['openai chat', 'openai responses', 'anthropic'],
  '.venv-older': ['openai chat', 'openai responses', 'anthropic'],
  '.venv-litellm': ['litellm chat', 'litellm messages'],
  '.venv-langchain': ['langchain chat', 'langchain responses', 'langchain messages'],
} as const

async function talk(command: readonly string[], client: string): Promise<void> {
  const { vendors } = chapar
  const before = vendors.answered.length
  const played = await play(command, client)
  const turns = conversation()
  expect({ ...played, refused: clientFaults(vendors.refused.splice(0)) }).toEqual({
    ended: turns.map((_, at) => `Turn ${at + 1} done.`),
    error: null,
    refused: [],
  })
  const answered = vendors.answered.slice(before)
  expect(answered.map(({ model }) => model)).toEqual(
    turns.flatMap(({ model, after }) => [model, after]),
  )
  // A model that wants its own thought before a call cannot go on with another's and think.
  const goesOn = (at: number) => at > 0 && answered[at - 1]?.called === true
  const thoughtless = answered.filter(
    ({ thinks, model }, at) =>
      !thinks && !(model === 'budget' && goesOn(at) && answered[at - 1]?.model !== 'budget'),
  )
  expect(thoughtless.map(({ model }) => model)).toEqual([])
  expectHistory(client, answered.at(-1))
  await expectCharged(chapar)
}

/** Everything said, every result and every picture reached the last vendor. */
function expectHistory(client: string, last: Answered | undefined): void {
  const turns = conversation()
  expect(last?.said.filter((text) => text.startsWith('Question')).length).toBe(turnCount)
  expect(last?.results.length).toBe(turnCount)
  const toolsShow = !/chat|compatible/.test(client)
  const shown = turns.filter(({ shows }) => shows).length
  const shownByTools = toolsShow ? turns.filter(({ resultShows }) => resultShows).length : 0
  expect(last?.pictures).toEqual(Array.from({ length: shown + shownByTools }, () => picture))
}

test.each(javaScript)('%s talks ten turns over vendors that change', (client) =>
  talk([process.execPath, toolPath('conversations.mjs')], client),
)

for (const [folder, clients] of Object.entries(python)) {
  const program = toolPath(folder, 'bin/python')
  const isThere = existsSync(program)
  test.if(isLong)(`${folder} is installed for a long run`, () => expect(isThere).toBe(true))
  test.skipIf(!isThere).each([...clients])(
    `%s in ${folder} talks ten turns over vendors that change`,
    (client) => talk([program, toolPath('conversations.py')], client),
  )
}
