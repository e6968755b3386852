import { readMigrationFiles } from 'drizzle-orm/migrator'

/** The generated migrations, read when the program is bundled and inlined into it. */
export const migrations = () =>
  readMigrationFiles({ migrationsFolder: `${import.meta.dir}/../../drizzle` })
