CREATE TABLE `summed` (
	`shard` integer PRIMARY KEY NOT NULL,
	`transfer` integer NOT NULL
);
--> statement-breakpoint
WITH RECURSIVE `shards` (`shard`) AS (SELECT 0 UNION ALL SELECT `shard` + 1 FROM `shards` WHERE `shard` < 63) INSERT INTO `summed` SELECT `shard`, (SELECT coalesce(max(`id`), 0) FROM `transfers`) FROM `shards`;
