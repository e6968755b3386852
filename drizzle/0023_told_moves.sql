ALTER TABLE `transfers` ADD `told` integer DEFAULT false NOT NULL;--> statement-breakpoint
CREATE INDEX `transfers_moved_in` ON `transfers` (`credit`) WHERE "transfers"."kind" <> 'charge';--> statement-breakpoint
CREATE INDEX `transfers_moved_out` ON `transfers` (`debit`) WHERE "transfers"."kind" <> 'charge';