/**
 * Imported first by tests that visit every page, or pages with many rows: React then says on the console what is wrong with
 * their elements, which fails the test. It takes longer, so other tests render as the server does.
 */
process.env.NODE_ENV = "test";
