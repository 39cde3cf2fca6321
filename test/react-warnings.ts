/**
 * Imported first by tests that visit every page: React then says on the console what is wrong with their elements, which
 * fails the test. It takes twice the time, so other tests render as the server does.
 */
process.env.NODE_ENV = "test";
