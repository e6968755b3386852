/** Writes the PostgreSQL schema from the SQLite one: `drizzle/postgres/0000_start.sql`. */
import { join } from 'node:path'
import { postgresSchema } from './postgres-schema-text'

await Bun.write(join(import.meta.dir, '../drizzle/postgres/0000_start.sql'), postgresSchema())
