/**
 * Makes React print warnings on the console, which fails the test. Tests that visit every page or long lists import
 * this first.
 *
 * It is slower, so other tests render in production mode.
 */
process.env.NODE_ENV = "test";
