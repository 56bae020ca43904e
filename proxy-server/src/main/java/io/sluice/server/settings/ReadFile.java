package io.sluice.server.settings;

import com.fasterxml.jackson.databind.node.ObjectNode;

/**
 * A configuration file that was read and is valid. Callers must not change its trees.
 *
 * @param written the tree for display, without the content of secret files
 * @param given the same tree with the content of secret files
 * @param settings the settings in this tree
 */
record ReadFile(ObjectNode written, ObjectNode given, Settings settings) {}
