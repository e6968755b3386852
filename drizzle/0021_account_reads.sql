CREATE TABLE `account_calls` (
	`account` integer NOT NULL,
	`request` text NOT NULL,
	PRIMARY KEY(`account`, `request`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `account_calls_fill` (
	`id` integer PRIMARY KEY NOT NULL,
	`before` text NOT NULL
);
--> statement-breakpoint
CREATE TABLE `usage_zone_days` (
	`project` integer NOT NULL,
	`day` integer NOT NULL,
	`key` integer NOT NULL,
	`model` text NOT NULL,
	`requests` integer NOT NULL,
	`errors` integer NOT NULL,
	`input_tokens` integer NOT NULL,
	`output_tokens` integer NOT NULL,
	`cached_tokens` integer NOT NULL,
	`cost` integer NOT NULL,
	PRIMARY KEY(`project`, `day`, `key`, `model`)
) WITHOUT ROWID;
--> statement-breakpoint
ALTER TABLE `requests` ADD `zone_day` integer;--> statement-breakpoint
CREATE INDEX `keys_kept` ON `keys` (`project`) WHERE "keys"."state" <> 'revoked';--> statement-breakpoint
CREATE INDEX `keys_revoked` ON `keys` (`project`) WHERE "keys"."state" = 'revoked';--> statement-breakpoint
INSERT INTO `usage_zone_days` SELECT `project`, (`created` + 12600000) / 86400000, `key`, `model`, count(*), sum(`status` = 'error'), sum(`input_tokens`), sum(`output_tokens`), sum(`cached_tokens`), sum(`cost`) FROM `requests` WHERE `status` <> 'pending' GROUP BY 1, 2, 3, 4;--> statement-breakpoint
INSERT INTO `usage_zone_days` SELECT r.`project`, (r.`created` + 12600000) / 86400000, r.`key`, r.`model`, 0, 0, 0, 0, 0, -sum(t.`amount`) FROM `transfers` t JOIN `requests` r ON r.`id` = t.`reference` WHERE t.`kind` = 'refund' GROUP BY 1, 2, 3, 4 ON CONFLICT DO UPDATE SET `cost` = `cost` + excluded.`cost`;--> statement-breakpoint
INSERT INTO `usage_zone_days` SELECT r.`project`, (r.`created` + 12600000) / 86400000, r.`key`, r.`model`, -sum(t.`kind` = 'charge'), -sum(t.`kind` = 'charge' AND r.`status` = 'error'), -sum(iif(t.`kind` = 'charge', r.`input_tokens`, 0)), -sum(iif(t.`kind` = 'charge', r.`output_tokens`, 0)), -sum(iif(t.`kind` = 'charge', r.`cached_tokens`, 0)), -sum(iif(t.`kind` = 'charge', t.`amount`, -t.`amount`)) FROM `transfers` t JOIN `requests` r ON r.`id` = t.`reference` JOIN `summed` s ON s.`shard` = r.`project` % 64 WHERE t.`id` > s.`transfer` AND t.`id` > (SELECT min(`transfer`) FROM `summed`) AND +t.`kind` IN ('charge', 'refund') AND t.`by` IS NULL GROUP BY 1, 2, 3, 4 ON CONFLICT DO UPDATE SET `requests` = `requests` + excluded.`requests`, `errors` = `errors` + excluded.`errors`, `input_tokens` = `input_tokens` + excluded.`input_tokens`, `output_tokens` = `output_tokens` + excluded.`output_tokens`, `cached_tokens` = `cached_tokens` + excluded.`cached_tokens`, `cost` = `cost` + excluded.`cost`;--> statement-breakpoint
INSERT INTO `account_calls_fill` (`id`, `before`) SELECT 1, 'req_~' WHERE EXISTS (SELECT 1 FROM `requests`);--> statement-breakpoint
WITH RECURSIVE `shards` (`shard`) AS (SELECT 66 UNION ALL SELECT `shard` + 1 FROM `shards` WHERE `shard` < 129) INSERT INTO `summed` SELECT `shard`, (SELECT coalesce(max(`id`), 0) FROM `transfers`) FROM `shards`;
