/** Opens a data folder as another process: `serve` stays until it is killed, `once` writes and goes. */
import { systemClock } from '../../src/domain/clock'
import { openStorage } from '../../src/business/data/sqlite/open-storage'
import { customer } from './folder'

const [folder = '', what] = process.argv.slice(2)
const storage = openStorage({ folder, exclusive: what === 'serve', clock: systemClock })
if (what === 'serve') {
  process.stdout.write('open\n')
  // What nobody refers to is collected, and its lock with it.
  setInterval(() => storage.version(), 1000)
} else {
  await customer(storage, { usd: '1' })
  process.stdout.write(`${storage.pepper.hash('')}\n`)
  await storage.close()
}
