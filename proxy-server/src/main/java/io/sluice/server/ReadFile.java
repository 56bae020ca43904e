package io.sluice.server;

import com.fasterxml.jackson.databind.node.ObjectNode;

/**
 * A configuration file that was read and is valid. Its trees are not to be written to.
 *
 * @param written the file as people see it
 * @param given the same with the content of files in its place
 * @param settings what follows from it
 */
record ReadFile(ObjectNode written, ObjectNode given, Settings settings) {}
