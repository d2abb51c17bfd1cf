// Sponsored-search auctions (docs/methods/auctions.md).
