/** Reads a data folder's database in one transaction until its standard input ends. */
import { Database } from 'bun:sqlite'

const raw = new Database(process.argv[2] ?? '', { readwrite: true, create: false })
raw.run('BEGIN')
raw.prepare('SELECT count(*) FROM sqlite_master').get()
process.stdout.write('reading\n')
await Bun.stdin.text()
raw.run('ROLLBACK')
raw.close(true)
