import { readMigrationFiles } from 'drizzle-orm/migrator'
import squashed from '../../drizzle/meta/_squashed.json'

/**
 * The generated migrations, read when the program is bundled and inlined into it. Steps that the first one stands for
 * come before it, without statements: a new database counts as having them, for programs that know them.
 */
export const migrations = () => [
  ...squashed.sqlite.map((folderMillis) => ({ sql: [], folderMillis, hash: '' })),
  ...readMigrationFiles({ migrationsFolder: `${import.meta.dir}/../../drizzle` }),
]
