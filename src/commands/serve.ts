import { chmodSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Command } from 'commander'
import { defaultDataFolder, keyPrefix, readConfig, type Config } from '../config'
import { systemClock, systemRandom } from '../domain/clock'
import { systemIds } from '../domain/ids'
import { parseUsd } from '../domain/money'
import { openGateway, type Gateway } from '../gateway'
import { openTrustedProxies } from '../http/address'
import { hashSecret, makeSecret, secretPrefix } from '../identity/secret'
import { faultFields, openLog, type Log } from '../observability/log'
import { openServer, type Server } from '../server'
import { openStorage } from '../storage/sqlite/open-storage'
import type { Storage } from '../storage/storage'
import { discoverVendors, noDiscovery } from '../vendors/discover'
import { probe } from './probe'

export interface ServeOptions {
  readonly dataFolder: string
  readonly host: string | null
  readonly port: number | null
  /** In memory, sandbox only: nothing is kept, nothing is reached. */
  readonly ephemeral: boolean
  readonly readyFile: string | null
}

/** A gateway that serves. */
export interface RunningServer {
  readonly url: string
  /** The key of an ephemeral gateway. */
  readonly key: string | null
  readonly vendors: readonly string[]
  readonly models: number
  /** Drains and stops. */
  stop(): Promise<void>
  readonly stopped: Promise<void>
}

/** How long an orderly cut may take to reach the clients. */
const cutMs = 500

/** @throws DataFolderBusy | Error with code EADDRINUSE | RangeError on a bad setting */
export async function runServe(options: ServeOptions): Promise<RunningServer> {
  const config = readConfig(process.env)
  const log = openLog(config.logLevel)
  const folder = options.ephemeral ? null : options.dataFolder
  const storage = openStorage({ folder, exclusive: true, clock: systemClock })
  try {
    const host = options.host ?? config.host
    const port = options.port ?? config.port
    const recovered = storage.ledger.recover()
    if (recovered > 0) log.warn('recovered', { calls: recovered })
    const detect = config.detect && !options.ephemeral
    const discovery = detect ? await discover(config, host, port) : noDiscovery
    const gateway = openGateway({
      config,
      storage,
      discovery,
      clock: systemClock,
      random: systemRandom,
      log,
    })
    const key = options.ephemeral ? ephemeralKey(storage, config) : null
    const server = openServer(
      {
        routes: gateway.parts,
        inbound: {
          ids: systemIds,
          clock: systemClock,
          proxies: openTrustedProxies(config.trustedProxies),
        },
        log,
        sync: gateway.sync,
      },
      { host, port },
    )
    writeNotes(options, server, key)
    log.info('serving', { url: server.url, pid: process.pid })
    return running({ server, gateway, storage, log, config, options, key })
  } catch (thrown) {
    storage.close()
    throw thrown
  }
}

const discover = (config: Config, host: string, port: number) =>
  discoverVendors({
    env: process.env,
    ownKeyPrefixes: config.services.map(keyPrefix),
    ownAddresses: [`${host}:${port}`, `127.0.0.1:${port}`, `localhost:${port}`],
    probe,
  })

interface Parts {
  readonly server: Server
  readonly gateway: Gateway
  readonly storage: Storage
  readonly log: Log
  readonly config: Config
  readonly options: ServeOptions
  readonly key: string | null
}

function running(parts: Parts): RunningServer {
  const { server, gateway, key } = parts
  const { promise: stopped, resolve } = Promise.withResolvers<void>()
  let stopping: Promise<void> | null = null
  const stop = () => {
    stopping ??= drain(parts).finally(resolve)
    return stopping
  }
  return { url: server.url, key, ...gateway.onSale(), stop, stopped }
}

/** Running calls go on for a while, then streams are cut in order, then everything is written. */
async function drain({ server, gateway, storage, log, config, options }: Parts): Promise<void> {
  log.info('stopping', { running: gateway.runningCalls() })
  gateway.stopTaking()
  server.stopListening()
  const until = systemClock.now() + config.drainMs
  while (gateway.runningCalls() > 0 && systemClock.now() < until) await Bun.sleep(20)
  if (gateway.runningCalls() > 0) {
    log.warn('cutting', { running: gateway.runningCalls() })
    gateway.parts.streams.cutAll()
    await Bun.sleep(cutMs)
  }
  await server.drop()
  gateway.close()
  storage.close()
  if (!options.ephemeral) rmSync(servingFile(options.dataFolder), { force: true })
  log.info('stopped')
  log.flush()
}

/** Where a serving process tells the commands its address. */
export const servingFile = (folder: string): string => join(folder, 'serving.json')

function writeNotes(options: ServeOptions, server: Server, key: string | null): void {
  if (!options.ephemeral)
    writeFileSync(
      servingFile(options.dataFolder),
      JSON.stringify({ pid: process.pid, url: server.url }),
    )
  if (options.readyFile === null) return
  const lines = [`OPENAI_BASE_URL=${server.url}/v1`, `CHAPAR_PID=${process.pid}`]
  if (key !== null) lines.push(`OPENAI_API_KEY=${key}`)
  // Whoever waits for the file must find it whole and unreadable to others.
  const draft = `${options.readyFile}.tmp`
  writeFileSync(draft, `${lines.join('\n')}\n`, { mode: 0o600 })
  chmodSync(draft, 0o600)
  renameSync(draft, options.readyFile)
}

/** An account with money, a project and a key that live as long as the process. */
function ephemeralKey(storage: Storage, config: Config): string {
  const { directory, pepper } = storage
  const account = directory.createAccount({
    name: 'ephemeral',
    verified: true,
    concurrency: 1000,
    requestsPerMinute: 1_000_000,
  })
  directory.deposit({
    account: account.id,
    amount: parseUsd('1000'),
    kind: 'topup',
    reference: 'ephemeral',
  })
  const project = directory.createProject({ account: account.id, name: 'ephemeral' })
  const secret = makeSecret(keyPrefix(config.services[0]))
  directory.createKey(
    { project: project.id, name: 'ephemeral', prefix: secretPrefix(secret) },
    hashSecret(secret, pepper),
  )
  return secret
}
