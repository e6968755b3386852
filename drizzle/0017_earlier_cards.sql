DROP TABLE `price_cards`;--> statement-breakpoint
DROP TABLE `sold_cards`;--> statement-breakpoint
ALTER TABLE `vendors` DROP COLUMN `margin_percent`;