import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import { cleanPlace, programOf, runCli, type CleanPlace, type CliRun } from '../coding-clis/run-cli'
import { providerConfig, talkInTerminal, turnsEach } from './codex-terminal'
import { conversation, expectCharged, oneCallEach, picture, turnCount } from './play'
import { openService, type Service } from './service'
import type { ModelId } from './vendors'

/* Coding agents, each started anew for a turn of one conversation, and each turn with another vendor's model. */

let chapar: Service
beforeAll(async () => void (chapar = await openService()))
afterAll(() => chapar.close())

interface AgentTurn {
  /** Its place in the conversation, from zero. */
  readonly at: number
  readonly model: ModelId
  readonly question: string
}

interface Agent {
  /** Its tool that runs a command, and what it is called with. */
  readonly tool: string
  inputOf(question: number, place: CleanPlace): object
  turn(place: CleanPlace, asked: AgentTurn): Promise<CliRun>
}

/** Each third look is at a picture, which the agent sends as what its tool saw. */
const looksAtPicture = (question: number): boolean => question % 3 === 2
const command = (question: number): string => `printf 'Result %s.' ${question}`

/** Ids by which Claude Code knows what a model takes; of others it takes all to be new. */
const named: Partial<Readonly<Record<ModelId, string>>> = {
  adaptive: 'claude-opus-4-7',
  budget: 'claude-sonnet-4-5',
}

const claude: Agent = {
  tool: 'Bash',
  inputOf: (question) => ({ command: command(question), description: 'Look' }),
  turn: (place, { model, question, at }) => {
    const id = at < turnCount / 2 ? model : (named[model] ?? model)
    const words = ['-p', question, '--model', id, '--output-format', 'json']
    const goesOn = at === 0 ? [] : ['--continue']
    return runCli(
      chapar.withVariables(programOf('claude'), ...words, '--allowedTools', 'Bash,Read', ...goesOn),
      place,
      { CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1' },
    )
  },
}

const codex: Agent = {
  tool: 'exec_command',
  inputOf: (question) => ({ cmd: command(question) }),
  turn: (place, { model, question, at }) =>
    runCli(
      chapar.withVariables(
        programOf('codex'),
        'exec',
        ...(at === 0 ? [] : ['resume', '--last']),
        '--json',
        '--skip-git-repo-check',
        '--dangerously-bypass-approvals-and-sandbox',
        '--config',
        `openai_base_url="${chapar.url}"`,
        '--model',
        model,
        ...(at === 0 ? ['--image', join(place.work, 'seen.png'), '--', question] : [question]),
      ),
      place,
      { CODEX_HOME: join(place.home, '.codex') },
    ),
}

/** Each question was looked into, each time by the conversation so far, and charged as it was answered. */
async function expectTalked(before: number, { tool }: Agent, models: number): Promise<void> {
  const answered = chapar.vendors.answered.slice(before)
  expect(new Set(answered.map(({ model }) => model)).size).toBe(models)
  expect(answered.filter(({ called }) => called).length).toBe(turnCount)
  expect(answered.filter(({ thinks }) => !thinks)).toEqual([])
  expect(answered.findLast(({ tools }) => tools.includes(tool))?.results.length).toBe(turnCount)
  expect(answered.some(({ pictures }) => pictures.length > 0)).toBe(true)
  await expectCharged(chapar)
}

describe.each(Object.entries({ claude, codex }))('the coding agent %s', (name, agent) => {
  test('talks ten turns over vendors that change', async () => {
    using place = cleanPlace()
    await Bun.write(join(place.work, 'seen.png'), Buffer.from(picture, 'base64'))
    await Bun.write(join(place.home, '.codex', 'config.toml'), 'model_reasoning_effort = "high"\n')
    const { vendors } = chapar
    const look = oneCallEach(agent.tool, (question) => agent.inputOf(question, place))
    const read = oneCallEach('Read', () => ({ file_path: join(place.work, 'seen.png') }))
    vendors.play((asked, model) => {
      const isPicture = name === 'claude' && looksAtPicture(asked.results.length + 1)
      return (isPicture ? read : look)(asked, model)
    })
    const before = vendors.answered.length
    for (const [at, { model, question }] of conversation().entries()) {
      const { code, stdout, stderr } = await agent.turn(place, { at, model, question })
      const refused = vendors.refused.splice(0)
      expect({ at, model, code, refused, stderr, stdout }).toMatchObject({ code: 0, refused: [] })
      expect(stdout).toContain(`Turn ${at + 1} done.`)
    }
    await expectTalked(before, agent, 7)
  })
})

test('codex in a terminal talks ten turns over vendors that change', async () => {
  using place = cleanPlace()
  const { vendors } = chapar
  await Bun.write(join(place.work, 'seen.png'), Buffer.from(picture, 'base64'))
  await Bun.write(join(place.home, '.codex', 'config.toml'), providerConfig(chapar.url))
  vendors.play(oneCallEach(codex.tool, (question) => codex.inputOf(question, place)))
  const before = vendors.answered.length
  for (let first = 0; first < turnCount; first += turnsEach) {
    await talkInTerminal(chapar, place, first)
    expect({ first, refused: vendors.refused.splice(0) }).toEqual({ first, refused: [] })
  }
  await expectTalked(before, codex, turnCount / turnsEach)
})
