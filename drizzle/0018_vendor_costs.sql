CREATE TABLE `profit_accounts` (
	`day` integer NOT NULL,
	`account` integer NOT NULL,
	`calls` integer NOT NULL,
	`charged` integer NOT NULL,
	`refunded` integer NOT NULL,
	`vendor_cost` integer NOT NULL,
	`uncosted` integer NOT NULL,
	PRIMARY KEY(`day`, `account`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `profit_days` (
	`day` integer NOT NULL,
	`model` text NOT NULL,
	`vendor` text NOT NULL,
	`calls` integer NOT NULL,
	`charged` integer NOT NULL,
	`refunded` integer NOT NULL,
	`vendor_cost` integer NOT NULL,
	`uncosted` integer NOT NULL,
	PRIMARY KEY(`day`, `model`, `vendor`)
) WITHOUT ROWID;
--> statement-breakpoint
ALTER TABLE `requests` ADD `vendor_cost` integer;--> statement-breakpoint
ALTER TABLE `requests` ADD `cost_card` integer;--> statement-breakpoint
ALTER TABLE `requests` ADD `vendor_cost_estimated` integer DEFAULT false NOT NULL;--> statement-breakpoint
INSERT INTO `profit_days` SELECT `created` / 86400000, `model`, coalesce(`vendor`, ''), count(*), sum(`cost`), 0, 0, sum(`vendor` IS NOT NULL) FROM `requests` WHERE `status` <> 'pending' GROUP BY 1, 2, 3;--> statement-breakpoint
INSERT INTO `profit_days` SELECT r.`created` / 86400000, r.`model`, coalesce(r.`vendor`, ''), 0, 0, sum(t.`amount`), 0, 0 FROM `transfers` t JOIN `requests` r ON r.`id` = t.`reference` WHERE t.`kind` = 'refund' GROUP BY 1, 2, 3 ON CONFLICT DO UPDATE SET `refunded` = `refunded` + excluded.`refunded`;--> statement-breakpoint
INSERT INTO `profit_accounts` SELECT `created` / 86400000, `account`, count(*), sum(`cost`), 0, 0, sum(`vendor` IS NOT NULL) FROM `requests` WHERE `status` <> 'pending' GROUP BY 1, 2;--> statement-breakpoint
INSERT INTO `profit_accounts` SELECT r.`created` / 86400000, r.`account`, 0, 0, sum(t.`amount`), 0, 0 FROM `transfers` t JOIN `requests` r ON r.`id` = t.`reference` WHERE t.`kind` = 'refund' GROUP BY 1, 2 ON CONFLICT DO UPDATE SET `refunded` = `refunded` + excluded.`refunded`;--> statement-breakpoint
INSERT INTO `summed` (`shard`, `transfer`) SELECT 64, coalesce(max(`id`), 0) FROM `transfers`;
