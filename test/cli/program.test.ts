import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Command } from 'commander'
import { existsSync } from 'node:fs'
import packageJson from '../../package.json'
import { buildProgram } from '../../src/cli/program'
import { openTerminal, type Terminal } from './terminal'

let terminal: Terminal
beforeAll(() => void (terminal = openTerminal()))
afterAll(() => terminal.close())

/** Commands that do something, with the words that call them. */
const leaves = (command: Command, words: readonly string[] = []): [string, Command][] =>
  command.commands.flatMap((child) => {
    const path = [...words, child.name()]
    return child.commands.length === 0
      ? [[path.join(' '), child] as [string, Command]]
      : leaves(child, path)
  })
const all = leaves(buildProgram())

describe('the command line', () => {
  test('builds the one command that is typed, under the name that it is listed by', () => {
    for (const name of buildProgram().commands.map((command) => command.name())) {
      const built = buildProgram([name, '--json']).commands
      expect(built.map((command) => command.name())).toEqual([name])
    }
    expect(buildProgram(['--json', 'key']).commands.length).toBeGreaterThan(30)
  })

  test('has every command', () => {
    const branches = {
      account: ['create', 'list', 'show', 'set', 'adjust', 'ledger', 'close'],
      verification: ['list', 'show', 'approve', 'reject', 'set', 'service', 'unset'],
      mail: ['set', 'show', 'test', 'remove'],
      project: ['create', 'list', 'show', 'set'],
      key: ['create', 'list', 'show', 'set', 'revoke', 'disable', 'enable'],
      vendor: ['add', 'list', 'show', 'set', 'remove', 'test'],
      'vendor credential': ['add', 'list', 'off', 'on', 'remove'],
      model: ['add', 'import', 'list', 'show', 'set', 'remove'],
      'model alias': ['add', 'list', 'remove'],
      price: ['rules list', 'rules set', 'rules remove', 'cost', 'preview'],
      bill: ['check'],
      prices: ['check', 'list', 'show', 'approve', 'reject'],
      settings: ['list', 'get', 'set', 'reset'],
      notices: ['list', 'test'],
      rate: ['show', 'set', 'history'],
      requests: ['list', 'show', 'refund'],
      videos: ['list', 'show'],
      payments: ['list', 'show', 'settle', 'summary'],
      gateway: ['set', 'list', 'show', 'test', 'remove'],
      code: ['create', 'list', 'revoke'],
      secret: ['renew', 'rotate', 'status'],
      person: ['list', 'move', 'keep', 'unlock'],
      sms: ['set', 'list', 'test', 'remove'],
      sister: ['set', 'show', 'check', 'remove'],
      trail: ['list'],
    }
    const expected = Object.entries(branches).flatMap(([branch, names]) =>
      names.map((name) => `${branch} ${name}`),
    )
    const everyday = [
      'serve',
      'quickstart',
      'topup',
      'usage',
      'profit',
      'openapi',
      'operator add',
      'operator key create',
      'operator key list',
      'operator key revoke',
      'operator link',
      'operator list',
      'operator login',
      'operator logout',
      'operator remove',
      'operator reset',
      'operator set',
      'group add',
      'group list',
      'group remove',
      'group set',
      'group show',
      'nodes list',
      'notices retry',
      'vendor credential set',
      'vendor routes',
      'env',
      'chat',
      'wait',
    ]
    const single = [...everyday, 'audit', 'backup', 'restore', 'migrate', 'doctor']
    expect(all.map(([path]) => path).sort()).toEqual([...expected, ...single].sort())
  })

  test.each(all)('%s takes --json and --data, and shows an example of itself', async (path) => {
    const { code, stdout } = await terminal.run(...path.split(' '), '--help')
    expect(code).toBe(0)
    expect(stdout).toContain('--json')
    expect(stdout).toContain('--data <dir>')
    expect(stdout).toMatch(new RegExp(`Example:\\n {2}chapar ${path}\\b`))
  })

  test('every list has a file of all its rows', () => {
    const lists = all.filter(([path]) => /\b(?:list|history|routes|ledger)$/.test(path))
    expect(lists.length).toBeGreaterThan(20)
    const without = lists.filter(
      ([, command]) => !command.options.some(({ long }) => long === '--csv'),
    )
    expect(without.map(([path]) => path)).toEqual([])
  })

  test('help says which options a command cannot do without', async () => {
    const { stdout } = await terminal.run('code', 'create', '--help')
    expect(stdout).toMatch(/--usd <amount> +what each is worth \(required\)$/m)
    expect(stdout).toMatch(/--count <n> +how many \(default: 1\)$/m)
  })

  test('groups commands by what they are for, and wraps every line of help', async () => {
    const { stdout } = await terminal.run('--help')
    expect(stdout.match(/^[A-Z][\w ]+:$/gm)).toEqual([
      'Options:',
      'Serve:',
      'Customers and money:',
      'Models and vendors:',
      'Calls and usage:',
      'Operation:',
      'Clients:',
      'Examples:',
    ])
    for (const path of [['serve'], ['model', 'add'], ['vendor', 'add']]) {
      const help = await terminal.run(...path, '--help')
      const [text = ''] = help.stdout.split('Example:')
      for (const line of text.split('\n')) expect(line.length).toBeLessThanOrEqual(80)
    }
  })

  test.each(all)('%s says in the imperative what it does', (_, command) => {
    expect(command.description()).toMatch(/^[A-Z][a-z]+ /)
  })

  test.each([
    [{}, '', 'the data folder has no name: see --data and CHAPAR_DATA'],
    [{}, '/etc/hostname', '/etc/hostname cannot be the data folder: there is a file of that name'],
    [{}, '/etc/hostname/in', 'cannot be the data folder: a part of its path is a file'],
    [{ CHAPAR_TRUSTED_PROXIES: 'nginx' }, 'data', 'CHAPAR_TRUSTED_PROXIES: neither an address'],
  ])('with %p, a gateway on %p says what is wrong', async (env, data, why) => {
    Object.assign(process.env, env)
    try {
      const { code, stderr } = await terminal.run('serve', '--port', '0', '--data', data)
      expect(code).toBe(1)
      expect(stderr).toContain(why)
    } finally {
      for (const name of Object.keys(env)) Reflect.deleteProperty(process.env, name)
    }
  })

  test('tells its version', async () => {
    const { code, stdout } = await terminal.run('--version')
    expect({ code, stdout }).toEqual({ code: 0, stdout: `${packageJson.version} (from source)\n` })
  })

  test.each([
    [['acount', 'list'], 'Did you mean account?'],
    [['key', 'lst'], 'Did you mean list?'],
    [['key', 'list', '--projct', '1'], 'Did you mean --project?'],
    [['account', 'create'], "required option '--name <name>' not specified"],
    [['account', 'create', '--name', ' '], 'A name is needed.'],
    [['account', 'show', '1x'], 'A whole number from 1 is needed.'],
    [['account', 'show', '1e1'], 'A whole number from 1 is needed.'],
    [['topup', '1', '-5'], 'An amount in dollars is needed, from 0.'],
    [['topup', '1', 'five'], 'not an amount in dollars: five'],
    [['topup', '1', '0.0000000001'], 'more than nine decimals'],
    [['quickstart', '--port', '65536'], 'A port from 0 to 65535 is needed.'],
    [['env', '--shell', 'csh'], 'Allowed choices are sh, fish.'],
    [['chat', 'hi', '--max-tokens', 'many'], 'A whole number from 1 is needed.'],
    [['key'], 'Usage: chapar key'],
  ])('called wrongly as %p it says why, on standard error, with code 2', async (args, why) => {
    const { code, stdout, stderr } = await terminal.run(...args)
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toContain(why)
  })

  test('called wrongly it touches no data', () => {
    expect(existsSync(terminal.data)).toBe(false)
  })

  test.each(
    [
      'account list',
      'account show 1',
      'account set 1 --verified',
      'account ledger 1',
      'account adjust 1 1 --reason why',
      'project create --account 1 --name web',
      'project list',
      'key create --project 1 --name laptop',
      'key list',
      'topup 1 5',
      'rate show',
      'payments list',
      'payments summary',
      'gateway list',
      'code list',
      'group list',
      'notices list',
      'vendor list',
      'vendor test openai',
      'model list',
      'settings list',
      'usage',
      'requests list',
      'requests list --refused',
      'requests refund req_1',
      'videos list',
      'audit',
      'doctor',
    ].map((line) => line.split(' ')),
  )('%s %s makes no folder where there is none', async (...words) => {
    const { code, stdout, stderr } = await terminal.run(...words)
    expect(code).toBe(1)
    expect(stdout + stderr).toContain(terminal.data)
    expect(existsSync(terminal.data)).toBe(false)
  })

  test('what fails says so in one plain line, with code 1', async () => {
    await terminal.make()
    expect(await terminal.run('account', 'show', '9')).toMatchObject({
      code: 1,
      stdout: '',
      stderr: 'chapar: there is no account 9\n',
    })
  })

  test('what fails with --json is one object with the message', async () => {
    const failed = await terminal.run('account', 'show', '9', '--json')
    expect({ code: failed.code, stderr: failed.stderr }).toEqual({ code: 1, stderr: '' })
    expect(failed.json<object>()).toEqual({
      error: { code: 'account_not_found', message: 'there is no account 9' },
    })
  })
})
