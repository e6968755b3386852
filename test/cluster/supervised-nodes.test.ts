/** `serve --processes N --database …`: a supervisor and its nodes, as they are run. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { copyFileSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { childrenOf } from '../support/child-processes'
import { begin, run, temporaryFolder, type Begun } from '../support/executable'
import { describeOn } from '../support/postgres'
import { callCost, openFleet, type Fleet } from './fleet'
import { pacedSeconds, until } from '../support/pace'

const ttlSeconds = pacedSeconds(4)

describeOn('npm', 'nodes under a supervisor', () => {
  let fleet: Fleet
  let folder: string
  let customer: Awaited<ReturnType<Fleet['customer']>>
  let running: Running
  const env = () => ({
    CHAPAR_DATABASE: fleet.url,
    CHAPAR_NODE_TTL: String(ttlSeconds),
    CHAPAR_DRAIN_DELAY: '0',
    CHAPAR_ADDRESS_RPM: '1000000',
  })

  beforeAll(async () => {
    fleet = await openFleet([], { ttlSeconds })
    folder = fleet.folder('nodes')
    mkdirSync(folder)
    copyFileSync(join(fleet.folder('desk'), 'secret.key'), join(folder, 'secret.key'))
    customer = await fleet.customer('10')
    running = await serveNodes(folder, 2, env())
  })
  afterAll(async () => {
    running.supervisor.kill('SIGTERM')
    await running.supervisor.exited
    await fleet.close()
  })

  const call = async (): Promise<number> => {
    const answer = await fetch(`${running.url}/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${customer.secret}`, 'content-type': 'application/json' },
      body: JSON.stringify({
        model: 'sandbox/echo-priced',
        messages: [{ role: 'user', content: 'one two three' }],
      }),
      // Each connection may come to another node.
      keepalive: false,
    })
    await answer.text()
    return answer.status
  }
  const charged = () => fleet.paidBy(customer.account)
  const nodesServing = async () =>
    Number(
      (
        (await fleet.sql.unsafe('SELECT count(*) FROM nodes WHERE NOT dead')) as {
          count: bigint
        }[]
      )[0]?.count,
    )

  let answered = 0
  const callMany = async (count: number) => {
    for (let each = 0; each < count; each++) {
      expect(await call()).toBe(200)
      answered++
    }
  }

  test('serve on one port, and show the metrics of all at one address', async () => {
    await callMany(40)
    const text = await (await fetch(running.metricsUrl)).text()
    const processes = new Set(text.match(/process="node-\d+"/g))
    expect(processes.size).toBe(2)
    const counted = /^chapar_calls_total\{.*?status="success".*?\} (\d+)$/m.exec(text)
    expect(Number(counted?.[1])).toBe(answered)
  })

  test('are replaced when one is killed, and every answer is charged once', async () => {
    const before = childrenOf(running.supervisor.pid)
    process.kill(before[0] ?? 0, 'SIGKILL')
    await until(() => {
      const now = childrenOf(running.supervisor.pid)
      return now.length === 2 && !now.includes(before[0] ?? 0)
    })
    await until(async () => (await call().then((status) => (answered++, status))) === 200)
    await callMany(20)
    await until(async () => Math.abs((await charged()) - answered * callCost) < 1e-9)
  })

  test('are replaced one by one on SIGUSR2, while calls go on', async () => {
    const before = childrenOf(running.supervisor.pid)
    running.supervisor.kill('SIGUSR2')
    const over = until(() =>
      childrenOf(running.supervisor.pid).every((pid) => !before.includes(pid)),
    )
    const calling = new AbortController()
    void over.finally(() => calling.abort())
    // A connection that is being made when a node closes its port must come to another one.
    const connecting = async () => {
      while (!calling.signal.aborted) await callMany(1)
    }
    await Promise.all(Array.from({ length: 8 }, connecting))
    expect(running.supervisor.logs()).toContain('"program replaced"')
    expect(childrenOf(running.supervisor.pid)).toHaveLength(2)
  })

  test('end with a supervisor that is killed, and the next one takes the folder', async () => {
    const before = childrenOf(running.supervisor.pid)
    running.supervisor.kill('SIGKILL')
    await running.supervisor.exited
    running = await serveNodes(folder, 2, env())
    expect(before.filter(isRunning)).toEqual([])
    await callMany(10)
    expect(await nodesServing()).toBe(2)
  })

  test('end in order on SIGTERM, with exact books', async () => {
    running.supervisor.kill('SIGTERM')
    expect(await running.supervisor.exited).toBe(0)
    expect(await nodesServing()).toBe(0)
    expect(Math.abs((await charged()) - answered * callCost)).toBeLessThan(1e-9)
    expect((await fleet.storage.audit()).differences).toEqual([])
    running = await serveNodes(folder, 2, env())
  })

  test('refuse a second supervisor on the same folder', async () => {
    const second = await run(['serve', '--port', '0', '--processes', '2', '--data', folder], {
      env: env(),
    })
    expect(second.code).toBe(1)
    expect(second.stderr).toContain('already served')
  })
})

describe('several processes without a database', () => {
  test('are refused, with the command that moves the folder', async () => {
    const folder = temporaryFolder()
    const done = await run(['serve', '--port', '0', '--processes', '2', '--data', folder])
    expect(done.code).toBe(1)
    expect(done.stderr).toContain(`chapar migrate --data ${folder} --to postgres://`)
    rmSync(folder, { recursive: true })
  })

  test('are refused where nothing is kept', async () => {
    const done = await run(['serve', '--port', '0', '--processes', '2', '--ephemeral'])
    expect(done.code).toBe(1)
    expect(done.stderr).toContain('leave --processes out')
  })

  test('are one process with auto', async () => {
    const folder = temporaryFolder()
    const file = join(folder, 'ready.env')
    const words = ['serve', '--port', '0', '--processes', 'auto', '--data', folder]
    const alone = begin([...words, '--ready-file', file])
    await until(() => readable(file))
    alone.kill('SIGTERM')
    expect(await alone.exited).toBe(0)
    rmSync(folder, { recursive: true })
  })
})

interface Running {
  readonly supervisor: Begun
  readonly url: string
  readonly metricsUrl: string
}

async function serveNodes(
  folder: string,
  count: number,
  env: Readonly<Record<string, string>>,
): Promise<Running> {
  const file = join(temporaryFolder(), 'ready.env')
  const words = ['serve', '--port', '0', '--metrics-port', '0', '--data', folder]
  const supervisor = begin([...words, '--processes', String(count), '--ready-file', file], {
    CHAPAR_LOG: 'info',
    ...env,
  })
  const code = supervisor.exited.then((exit) => exit)
  let ended: number | null = null
  void code.then((exit) => (ended = exit))
  await until(() => {
    if (ended !== null) throw new Error(`the supervisor ended with ${ended}: ${supervisor.logs()}`)
    return readable(file)
  })
  const text = readFileSync(file, 'utf8')
  const valueOf = (name: string) => new RegExp(`^${name}=(.*)$`, 'm').exec(text)?.[1] ?? ''
  return {
    supervisor,
    url: valueOf('OPENAI_BASE_URL'),
    metricsUrl: valueOf('CHAPAR_METRICS_URL'),
  }
}

const readable = (file: string): boolean => {
  try {
    return readFileSync(file, 'utf8').includes('OPENAI_BASE_URL')
  } catch {
    return false
  }
}

function isRunning(pid: number): boolean {
  try {
    return !/^State:\s*Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'))
  } catch {
    return false
  }
}
