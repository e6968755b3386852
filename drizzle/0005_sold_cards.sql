CREATE TABLE `sold_cards` (
	`model` text NOT NULL,
	`version` text NOT NULL,
	`lines` text NOT NULL,
	PRIMARY KEY(`model`, `version`)
);
