import type { TestGateway } from '../support/gateway'
import { sendRequest } from './record-request'
import type { World } from './world'

/** A thing that a command and an operation once answered differently. */
interface Disagreement {
  readonly what: string
  readonly command: string
  readonly request: string
  /** Member of the answers that is compared, by the command and by HTTP; else whether they are done or refused. */
  readonly shows?: readonly [command: string, http: string]
  /** By both. */
  readonly answer: unknown
  /** By the command and by HTTP, where they do not agree yet. */
  readonly today?: readonly [command: unknown, http: unknown]
}

const long = 'x'.repeat(120)

/** What commands and operations did not agree on, or do not yet. */
export const disagreements: readonly Disagreement[] = [
  {
    what: 'the length of the name of a new account',
    command: `account create --name ${long}`,
    request: `POST /accounts {"name": "${long}"}`,
    answer: 'input_invalid',
  },
  {
    what: 'the length of another name of an account',
    command: `account set 1 --name ${long}`,
    request: `PATCH /accounts/1 {"name": "${long}"}`,
    answer: 'input_invalid',
  },
  {
    what: 'the length of the name of a project',
    command: `project create --account 1 --name ${long}`,
    request: `POST /accounts/1/projects {"name": "${long}"}`,
    answer: 'input_invalid',
  },
  {
    what: 'the length of the name of a key',
    command: `key create --project 1 --name ${long}`,
    request: `POST /projects/1/keys {"name": "${long}"}`,
    answer: 'input_invalid',
  },
  {
    what: 'a control character in a name',
    command: 'account create --name a\u0007b',
    request: 'POST /accounts {"name": "a\\u0007b"}',
    answer: 'input_invalid',
  },
  {
    what: 'an expiry in the past',
    command: 'key create --project 1 --name past --expires 2020-01-01',
    request: 'POST /projects/1/keys {"name": "past", "expires_at": "2020-01-01T00:00:00Z"}',
    answer: 'key_expiry_past',
  },
  {
    what: 'a top-up of nothing',
    command: 'topup 1 0',
    request: 'POST /accounts/1/topups {"usd": "0", "reference": "nothing"}',
    answer: 'input_invalid',
  },
  {
    what: 'a group by its name',
    command: 'account set 3 --group resellers',
    request: 'PATCH /accounts/3 {"group": "resellers"}',
    answer: 'done',
  },
  {
    what: 'a key by its beginning',
    command: 'key show {laptop-prefix}',
    request: 'GET /keys/{laptop-prefix}',
    answer: 'done',
  },
  {
    what: 'an account without a ceiling of requests',
    command: 'account show 6',
    request: 'GET /accounts/6',
    shows: ['limits.rpm', 'rpm'],
    answer: null,
  },
  {
    what: 'the group of an account',
    command: 'account show 1',
    request: 'GET /accounts/1',
    shows: ['group', 'group'],
    answer: 1,
  },
  {
    what: 'the limits that an account has of its own',
    command: 'account show 2',
    request: 'GET /accounts/2',
    shows: ['own_limits.0', 'own_limits.0'],
    answer: 'daily_cap_usd',
  },
]

interface Refused {
  readonly error?: { readonly code?: string }
}

/** The member of an answer at a path such as `limits.rpm`. */
const at = (answer: unknown, path: string): unknown =>
  path.split('.').reduce<unknown>((value, name) => (value as Record<string, unknown>)[name], answer)

async function byCommand(world: World, { command, shows }: Disagreement): Promise<unknown> {
  const { code, stdout } = await world.run('typed', command, '--json')
  if (code === 0) return shows === undefined ? 'done' : at(JSON.parse(stdout), shows[0])
  return stdout === '' ? `exit ${code}` : ((JSON.parse(stdout) as Refused).error?.code ?? 'no code')
}

/** What both doors answer to a row by now. @param gateway on other data than that of commands */
export async function answersOf(
  world: World,
  gateway: TestGateway,
  row: Disagreement,
): Promise<readonly unknown[]> {
  const response = await sendRequest(world, gateway, row.request)
  const answer: unknown = await response.json()
  const shown = row.shows === undefined ? 'done' : at(answer, row.shows[1])
  return [await byCommand(world, row), response.ok ? shown : (answer as Refused).error?.code]
}
