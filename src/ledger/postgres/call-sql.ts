/* SQL of records and charges, as parts of a statement. `exchangeRowsOf` makes what they read. */

/** Rows of calls, from JSON. */
export const callRows = (
  parameter: string,
  where = '',
): string => `b AS (SELECT * FROM json_to_recordset((${parameter}::text)::json) AS j (
  id text, account bigint, project bigint, key bigint, endpoint text, model text, streamed bigint, address text,
  created bigint, zone_day bigint, card_version text, begins boolean, notes boolean, ends boolean, status text,
  vendor text, vendor_model text, vendor_answer text, input_tokens bigint, output_tokens bigint,
  cached_tokens bigint, reasoning_tokens bigint, units text, estimated bigint, cost bigint, held bigint,
  owed bigint, unpaid text, error text, latency_ms bigint, first_byte_ms bigint, vendor_cost bigint,
  cost_card bigint, vendor_cost_estimated bigint) ${where})`

/** @param node SQL of whose calls they are */
export const insertCalls = (node: string): string => `ri AS (
  INSERT INTO requests (id, account, project, key, endpoint, model, streamed, address, created, zone_day,
    card_version, status, vendor, vendor_model, vendor_answer, input_tokens, output_tokens, cached_tokens,
    reasoning_tokens, units, estimated, cost, held, owed, unpaid, error, latency_ms, first_byte_ms, vendor_cost,
    cost_card, vendor_cost_estimated, node)
  SELECT id, account, project, key, endpoint, model, streamed, address, created, zone_day, card_version, status,
    vendor, vendor_model, vendor_answer, coalesce(input_tokens, 0), coalesce(output_tokens, 0),
    coalesce(cached_tokens, 0), coalesce(reasoning_tokens, 0), units, coalesce(estimated, 0), coalesce(cost, 0),
    coalesce(held, 0), owed, unpaid, error, latency_ms, first_byte_ms, vendor_cost, cost_card,
    coalesce(vendor_cost_estimated, 0), ${node}
  FROM b WHERE begins ORDER BY id)`

/** @param condition SQL of what may still be written over */
export const updateCalls = (condition: string): string => `ru AS (
  UPDATE requests r SET model = b.model, card_version = b.card_version, status = b.status,
    vendor = CASE WHEN notes THEN b.vendor ELSE r.vendor END,
    vendor_model = CASE WHEN notes THEN b.vendor_model ELSE r.vendor_model END,
    vendor_answer = b.vendor_answer,
    input_tokens = CASE WHEN notes THEN b.input_tokens ELSE r.input_tokens END,
    output_tokens = CASE WHEN notes THEN b.output_tokens ELSE r.output_tokens END,
    cached_tokens = CASE WHEN notes THEN b.cached_tokens ELSE r.cached_tokens END,
    reasoning_tokens = CASE WHEN notes THEN b.reasoning_tokens ELSE r.reasoning_tokens END,
    units = CASE WHEN notes THEN b.units ELSE r.units END,
    estimated = CASE WHEN notes THEN b.estimated ELSE r.estimated END,
    cost = coalesce(b.cost, 0), held = coalesce(b.held, r.held), owed = coalesce(b.owed, r.owed),
    unpaid = b.unpaid, error = b.error, latency_ms = b.latency_ms, first_byte_ms = b.first_byte_ms,
    vendor_cost = CASE WHEN notes THEN b.vendor_cost ELSE r.vendor_cost END,
    cost_card = CASE WHEN notes THEN b.cost_card ELSE r.cost_card END,
    vendor_cost_estimated = CASE WHEN notes THEN b.vendor_cost_estimated ELSE r.vendor_cost_estimated END
  FROM b WHERE NOT b.begins AND r.id = b.id AND ${condition} RETURNING r.id)`

export const chargeCalls = `t AS (
  INSERT INTO transfers (debit, credit, amount, kind, reference, created, told)
  SELECT account, -1, cost, 'charge', id, created, 0 FROM b WHERE cost > 0 ORDER BY id)`

export const freeCalls = `fc AS (INSERT INTO free_calls (request) SELECT id FROM b WHERE ends AND coalesce(cost, 0) = 0)`
