/**
 * An owner of a data folder with some fronts that call without end. Says who serves; ends in order at
 * SIGTERM and says what is still leased.
 */
import { join } from 'node:path'
import { systemClock } from '../../src/domain/clock'
import { openOwner } from '../../src/processes/owner'
import { isRunning } from '../../src/storage/sqlite/front-spools'
import { openStorage } from '../../src/storage/sqlite/open-storage'

const [folder = '', acks = '', count = '2', hashes = ''] = process.argv.slice(2)
const storage = openStorage({ folder, exclusive: true, clock: systemClock })
const { fronts } = storage
if (fronts === null) throw new Error('no fronts in memory')
const say = (word: string) => void process.stdout.write(`${word}\n`)
const callers = await Promise.all(
  hashes.split(',').map(async (hash) => (await storage.identity.findByHash(hash))?.caller),
)
const script = join(import.meta.dir, 'front-child.ts')
const owner = await openOwner({
  store: storage.ledger,
  ...fronts,
  isRunning,
  fenceMs: 5000,
  greeting: () => null,
  answering: async () => null,
  silentMs: 1000,
  count: Number(count),
  command: [process.execPath, script, acks, JSON.stringify(callers)],
  environment: (socket) => ({ SOCKET: socket }),
  drainMs: 5000,
  now: () => performance.now(),
  onEnded: ({ pid, signal }) => say(`ended ${pid} ${signal}`),
  onFault: (fault) => say(`fault ${String(fault)}`),
})
await storage.ledger.recover(await owner.reunite())
if (!owner.begin()) for (let front = 0; front < Number(count); front++) owner.add()
while (owner.dismiss());
const look = setInterval(
  () => say(`pids ${owner.pids().join(' ')} fronts ${owner.connected()}`),
  20,
)
process.on('SIGTERM', () => {
  clearInterval(look)
  void owner.stop().then(async () => {
    say(`leased ${owner.leased()}`)
    await storage.close()
    process.exit(0)
  })
})
