import { postgresFormat } from '../postgres-steps.macro' with { type: 'macro' }

/**
 * Format of what this program writes to PostgreSQL: number of the newest step beside which programs without it
 * may not write. A step says so of itself by `UPDATE "world" SET "format" = …`; without that, nodes of before
 * serve on beside it.
 */
export const dataFormat: number = postgresFormat()
