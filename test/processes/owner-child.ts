/**
 * An owner of a data folder with some fronts that call without end. Says who serves; kills a front now and
 * then where it is asked to; ends in order at SIGTERM and says what is still leased.
 */
import { join } from 'node:path'
import { systemClock } from '../../src/domain/clock'
import { openStoreEngine } from '../../src/ledger/leased/store-engine'
import { openOwnerDoor } from '../../src/processes/owner-door'
import { superviseFronts } from '../../src/processes/supervise'
import { connect } from '../../src/storage/sqlite/connect'
import { databaseId } from '../../src/storage/sqlite/database-id'
import { openFrontSpools } from '../../src/storage/sqlite/front-spools'
import { openStorage } from '../../src/storage/sqlite/open-storage'

const [folder = '', acks = '', count = '2', hashes = ''] = process.argv.slice(2)
const storage = openStorage({ folder, exclusive: true, clock: systemClock })
storage.ledger.recover()
const now = () => performance.now()
const say = (word: string) => void process.stdout.write(`${word}\n`)
const raw = connect(join(folder, 'chapar.db'))
const database = databaseId(raw)
raw.close()
const engine = openStoreEngine({
  store: storage.ledger,
  ttlMs: Number.POSITIVE_INFINITY,
  now,
  onQuestion: ({ node, scope, no }) => door.ask(node, scope, no),
  defer: (work) => void setImmediate(work),
})
const spools = openFrontSpools(folder, database)
const path = spools.socket()
const door = await openOwnerDoor({
  path,
  engine,
  store: storage.ledger,
  spools,
  database,
  silentMs: 1000,
  now,
  end: (pid) => fronts.end(pid),
  onFault: (fault) => say(`fault ${String(fault)}`),
})
const callers = hashes.split(',').map((hash) => storage.identity.findByHash(hash)?.caller)
const fronts = superviseFronts({
  count: Number(count),
  command: () => [
    process.execPath,
    join(import.meta.dir, 'front-child.ts'),
    path,
    acks,
    JSON.stringify(callers),
  ],
  environment: {},
  drainMs: 5000,
  now,
  onEnded: ({ pid, signal }) => say(`ended ${pid} ${signal}`),
})
const look = setInterval(() => say(`pids ${fronts.pids().join(' ')} fronts ${door.fronts()}`), 20)
process.on('SIGTERM', () => {
  clearInterval(look)
  void fronts.stop().then(async () => {
    await door.close()
    say(`leased ${engine.leased()}`)
    await storage.close()
    process.exit(0)
  })
})
